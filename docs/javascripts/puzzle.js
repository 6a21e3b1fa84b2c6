// Judges the turn that was put together on the page of a puzzle. What is right and what is the answer to a wrong turn is in
// the page as data (docs.making.puzzles).
"use strict";

(() => {
  const [told, line, send, verdict] = ["p-told", "k-line", "k-send", "p-verdict"].map((id) => document.getElementById(id));
  const { number, right, answers, others } = JSON.parse(told.textContent);

  function judge() {
    const turn = line.textContent;
    const won = right.includes(turn);
    verdict.hidden = send.hidden;
    verdict.className = won ? "p-right" : "p-wrong";
    if (won && !send.hidden) keep();
    const [first, rest] = send.hidden ? ["", ""] : won ? ["Right.", "This turn wins, and no other does."] : ["Wrong.", answers[turn] || others];
    verdict.querySelector("b").textContent = first;
    verdict.querySelector("span").textContent = rest;
  }

  // Remember on this device that the puzzle is solved; the list of puzzles marks it.
  function keep() {
    try {
      const solved = new Set((localStorage.getItem("tkid-solved") || "").split(" "));
      localStorage.setItem("tkid-solved", [...solved.add(number)].join(" ").trim());
    } catch {
      // this browser keeps nothing
    }
  }

  new MutationObserver(judge).observe(send, { attributes: true, attributeFilter: ["hidden"] });
  new MutationObserver(judge).observe(line, { childList: true });
  judge();
})();
