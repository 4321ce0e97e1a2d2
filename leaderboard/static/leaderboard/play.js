/* Keys of a game, and its filter while it is typed in. Without scripts the page's forms do the same. */
const typing = (element) => element.closest("input, textarea, select, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const key = event.key === "u" ? "[data-undo]" : /^[1-9]$/.test(event.key) ? `[data-key="${event.key}"]` : "";
  const found = key && document.querySelector(key);
  if (found) { event.preventDefault(); found.click(); }
});

const filter = () => {
  const words = document.querySelector("[data-filter]")?.value.trim().toLowerCase() ?? "";
  for (const button of document.querySelectorAll(".moves button")) {
    button.parentElement.hidden = !`${button.textContent} ${button.title}`.toLowerCase().includes(words);
  }
};
document.addEventListener("input", (event) => { if (event.target.matches("[data-filter]")) filter(); });
document.addEventListener("htmx:afterSettle", filter);

document.addEventListener("change", (event) => { if (event.target.matches("[data-submits]")) event.target.form.requestSubmit(); });
