// Steps through a recorded game: draws the parts of the picture that a turn changed, and tells what happened in it.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const data = JSON.parse(at("game").textContent);
  const parts = [...document.querySelectorAll("#board > g[data-part]")];
  const items = [...document.querySelectorAll("li.turn")];
  const lines = items.map((item) => item.querySelector("a.line"));
  const list = at("turns"), slider = at("slider"), happened = at("happened"), ended = at("ended");
  const back = at("back"), play = at("play"), next = at("next");
  const end = items.length - 1, pause = 1600;

  // Which piece of SVG each part has after each turn.
  const states = [];
  for (const changes of data.changes) {
    const state = states.length ? [...states[states.length - 1]] : [];
    for (const [part, piece] of changes) state[part] = piece;
    states.push(state);
  }
  const svg = (piece) => data.pieces[piece].map((tag) => data.tags[tag]).join("");
  let shown = -1, drawn = [], timer = 0;

  function show(wanted) {
    const step = Math.max(0, Math.min(end, wanted));
    if (step === shown) return;
    states[step].forEach((piece, part) => {
      parts[part].classList.remove("fresh");
      if (piece === drawn[part]) return;
      parts[part].innerHTML = svg(piece);
      if (shown !== -1) parts[part].classList.add("fresh");
    });
    drawn = states[step];
    if (shown !== -1) {
      items[shown].classList.remove("shown");
      lines[shown].removeAttribute("aria-current");
    }
    shown = step;
    items[step].classList.add("shown");
    lines[step].setAttribute("aria-current", "step");
    list.scrollTop = items[step].offsetTop - list.offsetTop - (list.clientHeight - items[step].clientHeight) / 2;
    at("title").textContent = data.titles[step];
    at("told").textContent = data.told[step].map((sentence) => data.sentences[sentence]).join(". ");
    at("line").textContent = lines[step].textContent;
    happened.replaceChildren(...[...items[step].querySelectorAll(".events")].map((each) => each.cloneNode(true)));
    slider.value = step;
    slider.setAttribute("aria-valuetext", lines[step].textContent);
    back.setAttribute("aria-disabled", step === 0);
    next.setAttribute("aria-disabled", step === end);
    if (ended) ended.open = step === end;
    try {
      history.replaceState(null, "", `#turn-${data.turns[step]}`);
    } catch {
      // A viewer of mails may show the page where it has no address of its own: then there is none to keep.
    }
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    happened.setAttribute("aria-live", "polite");
  }

  function start() {
    play.textContent = "Stop";
    happened.setAttribute("aria-live", "off");
    if (shown === end) show(0);
    timer = setInterval(() => {
      show(shown + 1);
      if (shown === end) stop();
    }, pause);
  }

  function go(step) {
    stop();
    show(step);
  }

  function asked() {
    const turn = /^#turn-(\d+)$/.exec(location.hash);
    return turn ? data.turns.indexOf(Number(turn[1])) : -1;
  }

  back.addEventListener("click", () => go(shown - 1));
  next.addEventListener("click", () => go(shown + 1));
  play.addEventListener("click", () => (timer ? stop() : start()));
  slider.addEventListener("input", () => go(Number(slider.value)));
  addEventListener("hashchange", () => {
    if (asked() !== -1) go(asked());
  });
  const keys = { ArrowLeft: () => shown - 1, ArrowRight: () => shown + 1, Home: () => 0, End: () => end };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === slider) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    go(keys[event.key]());
  });

  // From here on a turn is not a place in the list to scroll to, but one to show.
  for (const item of items) item.removeAttribute("id");
  if (location.hash) scrollTo(0, 0);
  document.documentElement.classList.add("steps-work");
  at("steps").hidden = false;
  const first = asked() === -1 ? (data.over ? 0 : end) : asked();
  happened.setAttribute("aria-live", "off");
  show(first);
  happened.setAttribute("aria-live", "polite");
})();
