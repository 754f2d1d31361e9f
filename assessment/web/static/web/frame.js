// Small comforts on top of pages that work without them.
"use strict";

(() => {
  const root = document.documentElement;

  // The error summary takes the focus, so that what went wrong is read first.
  document.querySelector(".error-summary:not([data-specimen] *)")?.focus();

  // The colour choice is stored by the server in a cookie; here it also takes effect at once.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches(".theme-form")) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    const theme = body.get("theme");
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === theme));
    }
    try {
      await fetch(form.action, { method: "POST", body, redirect: "manual" });
    } catch {
      // Offline: the choice holds for this page only.
    }
  });

  // What scrolls sideways can be reached from the keyboard, and only while it scrolls.
  const scrollers = ".table-scroll, .formula, .formula-inline, pre";
  const reach = () => {
    for (const box of document.querySelectorAll(scrollers)) {
      if (box.scrollWidth > box.clientWidth && box.clientWidth > 0) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reach();
  addEventListener("resize", reach);
  document.addEventListener("htmx:afterSettle", reach);

  // An open menu closes on Escape and on a press outside.
  const openMenu = () => document.querySelector("details.account[open]");
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && openMenu();
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    const menu = openMenu();
    if (menu && !menu.contains(event.target)) menu.open = false;
  });

  // A fragment that cannot be fetched says so instead of failing in silence.
  const trouble = document.getElementById("trouble");
  const show = (kind) => {
    if (trouble) {
      trouble.textContent = trouble.dataset[kind];
      trouble.hidden = false;
    }
  };
  document.addEventListener("htmx:responseError", () => show("refused"));
  document.addEventListener("htmx:sendError", () => show("offline"));
  document.addEventListener("htmx:afterOnLoad", (event) => {
    if (trouble && event.detail.successful) trouble.hidden = true;
  });
})();
