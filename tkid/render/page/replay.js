// Steps through a recorded game: draws what changes in the picture, tells the turn, and marks it in timeline and list.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const data = JSON.parse(at("game").textContent);
  const page = document.documentElement;
  const parts = [...document.querySelectorAll("#drawn > g[data-part]")];
  const items = [...document.querySelectorAll("li.turn")];
  const lines = items.map((item) => item.querySelector("a.line"));
  const tales = items.map((item) => item.querySelector(".tale"));
  const headings = [...document.querySelectorAll("#turns .chapter")];
  const list = at("turns"), time = at("time"), news = at("news");
  const end = items.length - 1, last = data.turns[end];
  const chapters = data.chapters.map(([kind, names, first, until, result, sign, place]) => (
    { kind, names, first, last: until, result, sign, place }));
  const nameAt = ({ names }, step) => (names.findLast(([since]) => since <= step) || [0, ""])[1];
  const stops = [...new Set([0, ...chapters.filter((each) => each.result).map((each) => each.last), end])].sort((a, b) => a - b);
  const quiet = new Set(data.quiet);
  const choices = new Set(data.branches.map((each) => each.home));

  function make(name, attributes, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  }

  // Which piece of SVG each part has after each turn, and where it is moved.
  const states = [];
  for (const changes of data.changes) states.push(changed(states.at(-1) || [], changes));

  function changed(before, changes) {
    const state = [...before];
    for (const [part, piece, x = 0, y = 0] of changes) state[part] = { piece, x, y };
    return state;
  }

  const svg = (piece) => data.pieces[piece].map((tag) => data.tags[tag]).join("");
  const sentences = (numbers) => numbers.map((number) => data.sentences[number]).join(". ");
  let shown = -1, branch = -1, reached = -1, drawn = [], timer = 0, flipped = false;

  // -- the picture -----------------------------------------------------------------------------------------

  function draw(state) {
    state.forEach((each, place) => {
      const part = parts[place], before = drawn[place];
      part.classList.remove("fresh");
      if (!before || before.piece !== each.piece) {
        part.innerHTML = svg(each.piece);
        if (before && !timer) part.classList.add("fresh");
      }
    });
    drawn = state;
    put();
  }

  // Each part at its place. With the seats swapped, the rows of the players are stacked in the opposite order.
  function put() {
    const up = flipped && data.rows ? stacked() : new Map();
    parts.forEach((part, place) => {
      const { x, y } = drawn[place];
      const down = y + (up.get(seatOf(place)) || 0);
      if (x || down) part.setAttribute("transform", `translate(${x} ${down})`);
      else part.removeAttribute("transform");
    });
  }

  // The seat in whose row a part is.
  function seatOf(place) {
    const [, seat] = /-(\d+)$/.exec(parts[place].dataset.part) || [];
    return seat && drawn[place].y >= data.rows ? Number(seat) : -1;
  }

  // How far each row moves when the last one comes first. A row ends where the next one, or something else, begins.
  function stacked() {
    const edges = [...drawn.map(({ y }) => y), data.size[1] + data.size[3]];
    const rows = data.names.map((_, seat) => {
      const top = drawn.find((each, place) => seatOf(place) === seat).y;
      return { seat, top, height: Math.min(...edges.filter((edge) => edge > top)) - top };
    });
    let top = data.rows;
    return new Map(rows.reverse().map((row) => {
      const moved = [row.seat, top - row.top];
      top += row.height;
      return moved;
    }));
  }

  // -- what is told ----------------------------------------------------------------------------------------

  function tell(story, first) {
    const heading = story.querySelector(first);
    const rest = [...story.children].filter((each) => each !== heading).map((each) => each.cloneNode(true));
    at("heading").replaceChildren(...heading.cloneNode(true).childNodes);
    at("tale").replaceChildren(...rest);
    for (const button of at("tale").querySelectorAll(".branch button")) {
      const number = Number(button.parentNode.dataset.branch);
      button.addEventListener("click", () => go(shown, number));
    }
    if (branch === -1) return;
    const leave = make("button", { type: "button", class: "leave" }, "Back to the game");
    leave.addEventListener("click", () => go(shown));
    at("tale").prepend(leave);
  }

  function count() {
    const numbers = [...(data.branches[branch] || { counts: data.counts[shown] }).counts];
    at("tallies").replaceChildren(...data.tallies.map(([label, signs]) => {
      const row = make("div", { class: "tally" }, make("b", {}, make("bdi", {}, label)));
      for (const [sign, name, place] of signs) {
        const mark = sign.length > 1 ? make("small", {}, sign) : coin(place, sign);
        const number = make("span", { class: "number-of", title: name }, mark, String(numbers.shift()));
        row.append(number, " ");
      }
      return row;
    }));
  }

  function coin(place, sign, open = "") {
    const colour = open || (place === null ? "none" : `faction${place}`);
    return make("i", { class: `coin ${colour}`, "aria-hidden": "true" }, sign);
  }

  // -- the timeline ----------------------------------------------------------------------------------------

  const boxes = chapters.map((chapter) => {
    const ticks = make("div", { class: "ticks" });
    const won = make("div", { class: "won" });
    const box = make("div", { class: "chapter-box" }, ticks, won);
    const turns = [];
    for (let step = chapter.first; step <= chapter.last; step += 1) {
      const tick = make("span", { class: `lanes ${data.names.length > 2 ? "four" : ""}`, "data-step": step }, make("i", {}));
      ticks.append(tick);
      turns.push({ step, tick });
    }
    box.style.flexGrow = Math.max(1, turns.length);
    if (!turns.length) box.style.flex = "0 0 27px";
    time.append(box);
    return { chapter, turns, won, ticks };
  });
  for (const { ticks } of boxes) ticks.style.minHeight = `${boxHeight()}px`;

  function boxHeight() {
    const seats = data.names.length;
    return 3 + (seats > 2 ? 8 * seats : 28);
  }

  function mark() {
    boxes.forEach(({ chapter, turns, won }, index) => {
      for (const { step, tick } of turns) {
        const row = flipped ? data.names.length - data.seats[step] : data.seats[step] + 1;
        tick.style.gridTemplateRows = `repeat(${data.names.length}, ${data.names.length > 2 ? "8px" : "14px"})`;
        tick.firstChild.style.gridRow = step <= shown ? row : data.names.length;
        tick.classList.toggle("past", step <= shown);
        tick.classList.toggle("pass", step <= shown && quiet.has(step));
        tick.classList.toggle("choice", choices.has(step));
        tick.classList.toggle("now", step === shown);
      }
      const over = chapter.result && shown >= chapter.last;
      const name = nameAt(chapter, shown);
      const sign = over ? coin(chapter.place, chapter.sign) : coin(null, String(index + 1), "open");
      won.replaceChildren(sign, ...(name ? [make("span", {}, name)] : []));
    });
    time.setAttribute("aria-valuenow", shown);
    time.setAttribute("aria-valuetext", lines[shown].textContent);
  }

  function pointed(event) {
    let best = 0, nearest = Infinity;
    for (const { turns } of boxes) {
      for (const { step, tick } of turns) {
        const { left, right } = tick.getBoundingClientRect();
        const far = Math.abs(event.clientX - (left + right) / 2);
        if (far < nearest) [best, nearest] = [step, far];
      }
    }
    return event.clientX < time.getBoundingClientRect().left + 3 ? 0 : best;
  }

  // -- the list: nothing in it is there before its turn was shown ---------------------------------------------

  function reveal() {
    if (shown > reached) reached = shown;
    items.forEach((item, step) => {
      item.hidden = step > reached;
    });
    headings.forEach((heading, index) => {
      const chapter = chapters[index];
      heading.hidden = reached < Math.min(chapter.first, chapter.last);
      heading.querySelector(".chapter-name b").textContent = nameAt(chapter, reached);
      const result = heading.querySelector(".result");
      if (result) result.hidden = reached < chapter.last;
    });
    at("ended").hidden = shown !== end || branch !== -1;
  }

  // -- one turn ----------------------------------------------------------------------------------------------

  function show(wanted, wantedBranch = -1) {
    const step = Math.max(0, Math.min(end, wanted));
    if (step === shown && wantedBranch === branch) return;
    if (shown !== -1) {
      items[shown].classList.remove("shown");
      lines[shown].removeAttribute("aria-current");
    }
    [shown, branch] = [step, wantedBranch];
    const other = data.branches[branch];
    draw(other ? changed(states[other.start], other.changes) : states[step]);
    at("title").textContent = other ? other.title : data.titles[step];
    at("told").textContent = sentences(other ? other.told : data.told[step]);
    if (other) tell(tales[step].querySelector(`[data-branch="${branch}"] .would`), "h5");
    else tell(tales[step], "h3, h4");
    page.classList.toggle("if", Boolean(other));
    items[step].classList.add("shown");
    lines[step].setAttribute("aria-current", "step");
    reveal();
    mark();
    count();
    if (list.scrollHeight > list.clientHeight) {
      list.scrollTop = items[step].offsetTop - (list.clientHeight - items[step].clientHeight) / 2;
    }
    at("try").hidden = !data.trial || data.trial.at !== step || branch !== -1;
    at("number").textContent = data.turns[step];
    at("shared").textContent = data.turns[step] ? `turn ${data.turns[step]}` : "the start";
    for (const id of ["back", "earlier"]) at(id).setAttribute("aria-disabled", step === 0);
    for (const id of ["next", "later"]) at(id).setAttribute("aria-disabled", step === end);
    at("done").textContent = "";
    keepInView();
    try {
      history.replaceState(null, "", hash());
    } catch {
      // A viewer of mails may show the page where it has no address of its own: then there is none to keep.
    }
  }

  // Another turn in place of one: a board to click, in a frame of its own.
  function trial() {
    const box = at("trial");
    if (!box.querySelector("iframe")) {
      const frame = make("iframe", { title: `Another turn ${data.trial.turn}` });
      frame.srcdoc = data.trial.page;
      box.append(frame);
      at("leave").textContent = `This is a try of turn ${data.trial.turn}: back to the game`;
    }
    box.showModal();
  }

  const hash = () => `#turn-${data.turns[shown]}${branch === -1 ? "" : `-if-${branch + 1}`}`;

  function stop() {
    clearInterval(timer);
    timer = 0;
    page.classList.remove("playing");
    at("play").setAttribute("aria-label", "Play");
    news.setAttribute("aria-live", "polite");
  }

  function start() {
    page.classList.add("playing");
    at("play").setAttribute("aria-label", "Stop");
    news.setAttribute("aria-live", "off");
    if (shown === end) show(0);
    timer = setInterval(() => {
      show(shown + 1);
      if (shown === end) stop();
    }, Number(at("speed").value));
  }

  const toggle = () => (timer ? stop() : start());

  // Where the buttons stick to the bottom, the heading is above them, however far the page was scrolled.
  function keepInView() {
    if (getComputedStyle(at("steps")).position !== "sticky") return;
    const hidden = () => at("heading").getBoundingClientRect().bottom + 8 - at("steps").getBoundingClientRect().top;
    if (at("heading").getBoundingClientRect().top < 0 || hidden() > 0) scrollTo(0, 0);
    if (hidden() > 0) scrollBy(0, hidden());
  }

  function go(step, wantedBranch) {
    stop();
    show(step, wantedBranch);
  }

  const later = () => stops.find((stop) => stop > shown) ?? end;
  const earlier = () => stops.findLast((stop) => stop < shown) ?? 0;

  function asked() {
    const [, turn, number] = /^#turn-(\d+)(?:-if-(\d+))?$/.exec(location.hash) || [];
    const other = data.branches[number - 1];
    return { step: turn ? data.turns.indexOf(Number(turn)) : -1, branch: other ? number - 1 : -1 };
  }

  // -- what people do ----------------------------------------------------------------------------------------

  if (data.trial) at("try").textContent = `Try another turn ${data.trial.turn}`;
  at("try").addEventListener("click", trial);
  at("leave").addEventListener("click", () => at("trial").close());
  at("back").addEventListener("click", () => go(shown - 1));
  at("next").addEventListener("click", () => go(shown + 1));
  at("earlier").addEventListener("click", () => go(earlier()));
  at("later").addEventListener("click", () => go(later()));
  at("play").addEventListener("click", toggle);
  at("speed").addEventListener("change", () => {
    if (!timer) return;
    stop();
    start();
  });
  at("flip").addEventListener("click", () => {
    flipped = !flipped;
    at("flip").setAttribute("aria-pressed", flipped);
    put();
    mark();
  });
  list.addEventListener("click", (event) => {
    const line = event.target.closest("a.line");
    if (!line) return;
    event.preventDefault();
    go(lines.indexOf(line));
  });
  addEventListener("hashchange", () => {
    const { step, branch: number } = asked();
    if (step !== -1) go(step, number);
  });
  time.addEventListener("pointerdown", (event) => {
    time.setPointerCapture(event.pointerId);
    go(pointed(event));
  });
  time.addEventListener("pointermove", (event) => {
    if (time.hasPointerCapture(event.pointerId)) go(pointed(event));
  });

  const keys = { ArrowLeft: () => shown - 1, ArrowRight: () => shown + 1, Home: () => 0, End: () => end };
  const jumps = { ArrowLeft: earlier, ArrowRight: later };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select")) return;
    const step = (event.shiftKey ? jumps : keys)[event.key];
    if (step) go(step());
    else if (event.key === " " && !event.shiftKey && !event.target.closest("button, summary")) toggle();
    else return;
    event.preventDefault();
  });

  let touched = null;
  for (const place of [at("board"), at("narration")]) {
    place.addEventListener("touchstart", ({ touches }) => {
      touched = touches.length === 1 ? touches[0] : null;
    }, { passive: true });
    place.addEventListener("touchend", ({ changedTouches: [end_] }) => {
      if (!touched) return;
      const [right, down] = [end_.clientX - touched.clientX, end_.clientY - touched.clientY];
      touched = null;
      if (Math.abs(right) > 40 && Math.abs(right) > 2 * Math.abs(down)) go(shown + (right < 0 ? 1 : -1));
    });
  }

  // -- taking it along -----------------------------------------------------------------------------------------

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = document.body.appendChild(make("textarea", { readonly: "" }, text));
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    at("done").textContent = `${what} is copied.`;
  }

  function save(text, type, name) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
    at("done").textContent = `${name} is saved.`;
  }

  function picture() {
    const [left, top, width, height] = data.size;
    const written = new XMLSerializer();
    const inside = [...at("board").firstElementChild.children].map((each) => written.serializeToString(each)).join("");
    const style = document.querySelector("style").textContent.split("/* pictures */")[1];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" ` +
      `height="${height}"><style>${style.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>${inside}</svg>\n`;
  }

  at("copy-link").addEventListener("click", () => copy(location.href.split("#")[0] + hash(), "The link"));
  at("copy-position").addEventListener("click", () => {
    const other = data.branches[branch];
    copy(other ? other.position : data.positions[shown], "The position");
  });
  at("save-picture").addEventListener("click", () => {
    save(picture(), "image/svg+xml", `${data.file}-turn-${data.turns[shown]}.svg`);
  });
  at("save-record").addEventListener("click", () => save(data.record, "text/plain", `${data.file}.tkid`));

  // On paper the whole game, with its last board.
  let before = null;
  addEventListener("beforeprint", () => {
    before = { shown, branch, reached };
    show(end);
  });
  addEventListener("afterprint", () => {
    reached = before.reached;
    show(before.shown, before.branch);
    reveal();
  });

  // From here on a turn is not a place in the list to scroll to, but one to show.
  for (const item of items) item.removeAttribute("id");
  page.classList.add("works");
  at("steps").hidden = at("tools").hidden = false;
  at("most").textContent = last;
  time.setAttribute("aria-valuemax", end);
  const first = asked();
  news.setAttribute("aria-live", "off");
  if (location.hash) scrollTo(0, 0);
  show(first.step === -1 ? (data.over ? 0 : end) : first.step, first.step === -1 ? -1 : first.branch);
  news.setAttribute("aria-live", "polite");
})();
