// The site as an app: what is read is kept on the device, and More keeps everything if somebody asks for it.
(() => {
  const top = new URL("../", document.currentScript.src).href;
  if (!("serviceWorker" in navigator) || !isSecureContext || location.protocol === "file:") return;
  navigator.serviceWorker.register(`${top}sw.js`).catch(() => {}); // without it the site works as before

  const keep = document.querySelector("[data-keep]");
  if (!keep) return;
  const [button, said] = [keep.querySelector("button"), keep.querySelector("[role=status]")];
  let paths = [];
  fetch(`${top}assets/kept.json`)
    .then((answer) => answer.json())
    .then((list) => {
      paths = list.files;
      button.append(` (${Math.round(list.bytes / 1e6)} MB)`);
      keep.hidden = false;
    })
    .catch(() => {}); // without a network there is nothing to offer
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await navigator.serviceWorker.ready;
      const waiting = [...paths];
      const one = async () => {
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
          const answer = await fetch(top + path);
          if (!answer.ok) throw new Error(path);
          await answer.text();
          if (waiting.length % 100 === 0) said.textContent = `${paths.length - waiting.length} of ${paths.length} files`;
        }
      };
      await Promise.all([one(), one(), one(), one()]); // the worker keeps each page that it passes on
      said.textContent = `All ${paths.length} files are on this device.`;
    } catch {
      said.textContent = "Not all pages could be loaded. Try again when you have a better connection.";
      button.disabled = false;
    }
  });
})();

// The list of puzzles: which of them were solved on this device.
(() => {
  const told = document.querySelector(".p-solved");
  if (!told) return;
  let solved = new Set();
  try {
    solved = new Set((localStorage.getItem("tkid-solved") || "").split(" "));
  } catch {
    // this browser keeps nothing
  }
  const entries = [...document.querySelectorAll("[data-puzzle]")];
  const done = entries.filter((entry) => solved.has(entry.dataset.puzzle));
  for (const entry of done) {
    const mark = Object.assign(document.createElement("em"), { textContent: "✓" });
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", "solved");
    entry.classList.add("p-done");
    entry.append(mark);
  }
  const next = entries.find((entry) => !done.includes(entry));
  told.textContent = `${done.length} of ${told.dataset.of} solved. `;
  if (next) told.append(Object.assign(document.createElement("a"), { href: next.href, textContent: `Next: ${Number(next.dataset.puzzle)}` }));
  told.hidden = false;
})();
