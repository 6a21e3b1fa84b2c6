// The graph of the values follows the turn that is shown, and shows no turn before it was reached; a click goes to a turn.
"use strict";
(() => {
  const graph = document.getElementById("value-graph");
  const now = document.getElementById("value-now");
  const time = document.getElementById("time");
  const items = [...document.querySelectorAll("li.turn")];
  const story = graph.getAttribute("aria-label");
  const [left, by, width] = ["left", "by", "width"].map((name) => Number(graph.dataset[name]));
  const [names, lines, points] = [".value-name", "polyline", "[data-said]"].map((each) => [...graph.querySelectorAll(each)]);
  const steps = [...graph.querySelectorAll("[data-step]")];

  // Put each name behind the end of its line, and no name over another.
  function name(index) {
    const ends = names.map((text, party) => ({ text, at: index < 0 ? null : lines[party].points[index] }));
    let free = 0;
    for (const { text, at } of ends.sort((one, other) => one.at?.y - other.at?.y)) {
      text.toggleAttribute("hidden", !at);
      if (!at) continue;
      free = Math.max(free + 12, at.y + 4);
      text.setAttribute("x", at.x + 8);
      text.setAttribute("y", free);
    }
  }

  function follow() {
    const shown = Number(time.getAttribute("aria-valuenow"));
    const reached = items.findLastIndex((item) => !item.hidden);
    for (const each of steps) each.toggleAttribute("hidden", Number(each.dataset.step) > reached);
    graph.querySelector("#value-reached rect").setAttribute("width", left + reached * by);
    for (const end of ["x1", "x2"]) now.setAttribute(end, left + shown * by);
    now.removeAttribute("hidden");
    name(points.findLastIndex(({ dataset }) => Number(dataset.step) <= reached));
    const last = steps.findLast(({ dataset }) => dataset.said && Number(dataset.step) <= reached);
    const soFar = last ? `The chance to win, up to turn ${last.dataset.turn}: ${last.dataset.said}.` : "The chance to win: nothing yet.";
    graph.setAttribute("aria-label", reached === items.length - 1 ? story : soFar);
  }

  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    const step = Math.round(((event.clientX - box.left) * width / box.width - left) / by);
    items[Math.max(0, Math.min(items.length - 1, step))].querySelector("a.line").click();
  });

  new MutationObserver(follow).observe(time, { attributeFilter: ["aria-valuenow"] });
  follow();
})();
