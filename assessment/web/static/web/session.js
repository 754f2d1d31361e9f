// A page left open while its owner signed in again in another tab: the form's token has changed.
// For the same person the page takes the new token; for another it stops and keeps the text.
"use strict";

(() => {
  const { user, who } = document.body.dataset;
  const cookie = () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
  let known = cookie();

  const tell = (kind) => {
    const trouble = document.getElementById("trouble");
    trouble.textContent = trouble.dataset[kind];
    trouble.hidden = false;
  };

  const isStillTheirs = async () => {
    const answer = await fetch(who, { headers: { Accept: "application/json" } });
    return (await answer.json()).user === user;
  };

  const renew = async () => {
    if (!(await isStillTheirs())) return false;
    known = cookie();
    for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) {
      field.value = known;
    }
    document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": known }));
    return true;
  };

  const hasChanged = () => cookie() !== "" && cookie() !== known;

  document.addEventListener(
    "submit",
    async (event) => {
      const { target: form, submitter } = event;
      if (form.method !== "post" || !hasChanged()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      try {
        if (await renew()) form.requestSubmit(submitter);
        else tell("other");
      } catch {
        tell("offline");
      }
    },
    true,
  );

  // Requests that no form sends (an autosaved draft) take the token when the tab is looked at again.
  addEventListener("focus", () => {
    if (hasChanged()) renew().catch(() => {});
  });

  // A page that the browser kept for going back: after its owner signed out it shows nothing.
  addEventListener("pageshow", async (event) => {
    if (!event.persisted || !user) return;
    document.body.hidden = true;
    const isTheirs = await isStillTheirs().catch(() => true);
    if (isTheirs) document.body.hidden = false;
    else location.reload();
  });
})();
