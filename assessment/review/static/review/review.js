// The keys 0 to 7 choose the dominant break while nothing is being typed.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !/^[0-7]$/.test(event.key)) return;
  if (event.target.closest("input:not([type=radio]), textarea, select")) return;
  const choices = document.querySelectorAll("[data-scoring] input[name=dominant_break]");
  const choice = choices[Number(event.key)];
  if (!choice) return;
  choice.checked = true;
  choice.focus();
});
