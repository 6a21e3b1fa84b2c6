// A button behind the id of every rule that copies the rule's permanent address. Without it the sign ¶ leads there.
document.addEventListener("DOMContentLoaded", () => {
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  said.className = "copy-link-said";
  document.body.append(said);

  for (const id of document.querySelectorAll(".rule-id[data-link]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-link";
    button.textContent = "Copy link";
    button.setAttribute("aria-label", `Copy link to ${id.textContent}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(id.dataset.link);
        button.textContent = "Copied";
        said.textContent = `Copied: ${id.dataset.link}`;
      } catch {
        button.textContent = "Not copied";
        said.textContent = `The browser does not allow it. The link is ${id.dataset.link}`;
      }
      setTimeout(() => {
        button.textContent = "Copy link";
        said.textContent = "";
      }, 4000);
    });
    id.after(button);
  }
});
