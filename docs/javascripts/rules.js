// Pages of rules: buttons that copy, and lists that are loaded when somebody opens them. All of it works without: links lead there.
for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  const said = document.querySelector(".actions [role=status]");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    if (said) said.textContent = button.textContent;
    setTimeout(() => {
      button.textContent = label;
      if (said) said.textContent = "";
    }, 2000);
  });
}

for (const fold of document.querySelectorAll("details[data-load]")) {
  fold.addEventListener("toggle", async () => {
    if (!fold.open || fold.dataset.loaded || location.protocol === "file:") return; // a page read from disk may load nothing
    fold.dataset.loaded = "yes";
    try {
      const answer = await fetch(fold.dataset.load);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      fold.querySelector("p").replaceWith(...page.querySelector("[data-evidence]").children);
    } catch {
      delete fold.dataset.loaded; // the link stays
    }
  });
}
