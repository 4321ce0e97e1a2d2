/* Finds lines in the text of a program: the return key goes on to the next. Without scripts the browser's own search does. */
const linesOf = (box) => [...(box.nextElementSibling?.querySelectorAll("code > span") ?? [])];

const find = (box, forward) => {
  const words = box.querySelector("input").value.toLowerCase();
  const lines = linesOf(box);
  const hits = words ? lines.filter((line) => line.textContent.toLowerCase().includes(words)) : [];
  const before = forward ? hits.indexOf(lines.find((line) => line.classList.contains("at"))) : -1;
  for (const line of lines) { line.classList.toggle("hit", hits.includes(line)); line.classList.remove("at"); }
  const at = hits[(before + 1) % hits.length];
  const told = hits.length ? `line ${hits.indexOf(at) + 1} of ${hits.length}` : "no line";
  box.querySelector("span").textContent = words ? told : "";
  if (!at) return;
  at.classList.add("at");
  const fold = at.closest("details");
  if (fold) fold.open = true;
  const region = box.nextElementSibling;
  region.scrollTop += at.getBoundingClientRect().top - region.getBoundingClientRect().top - region.clientHeight / 3;
};

const box = (event) => event.target.closest?.("[data-find]");
document.addEventListener("input", (event) => { if (box(event)) find(box(event), false); });
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && box(event)) { event.preventDefault(); find(box(event), true); }
});
const show = () => {
  for (const one of document.querySelectorAll("[data-find]")) {
    one.hidden = false;
    if (one.querySelector("input").value) find(one, false);
  }
};
show();
document.addEventListener("htmx:afterSettle", show);
