/* Adds a copy button to each [data-copy] block. Without scripts the text can still be selected. */
const addButton = (block) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(block.querySelector("code"));
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
};
const addButtons = () => document.querySelectorAll("[data-copy]:not(:has(> button))").forEach(addButton);
addButtons();
document.addEventListener("htmx:afterSettle", addButtons);
