// Decides, before anybody types anything, whether this page can stay inside the LMS.
(async () => {
  const check = document.getElementById("lti-check");
  const goOn = () => window.location.replace(check.dataset.continue);
  if (window.top === window.self) {
    goOn();
    return;
  }
  try {
    const answer = await fetch(check.dataset.probe, { credentials: "same-origin", cache: "no-store" });
    const found = await answer.json();
    if (found.kept) {
      goOn();
      return;
    }
  } catch {
    // No answer is no cookie: the window of its own always works.
  }
  document.getElementById("lti-waiting").hidden = true;
  document.getElementById("lti-window").hidden = false;
})();
