// Puts a button beside each text that is to be typed elsewhere; without this script it is selected.
for (const field of document.querySelectorAll("[data-copy]")) {
  field.addEventListener("focus", () => field.select());
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small";
  button.textContent = field.dataset.copy;
  button.setAttribute("aria-describedby", `${field.id}-label`);
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Without TLS there is no clipboard: the text stays selected, to be copied by hand.
      return;
    }
    button.textContent = field.dataset.copied;
    document.getElementById("announcer").textContent = field.dataset.copied;
  });
  field.after(button);
}
