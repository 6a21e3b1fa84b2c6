// A turn put together by clicks. What is legal was worked out before and stands in the page as data (tkid.render.clicks);
// nothing here knows a rule of the game.
"use strict";

(() => {
  const named = ["board", "ask", "turn", "line", "copy", "mail", "back", "again", "list", "rules", "choices"];
  const at = Object.fromEntries(named.map((name) => [name, document.getElementById(`k-${name}`)]));
  const data = JSON.parse(at.choices.textContent);
  const board = at.board.querySelector("svg");
  const spots = data.spots.map(([key, name, group, short]) => ({ key, name, group, short }));
  const numbers = new Map(spots.map((spot, number) => [spot.key, number]));
  const drawn = new Map(spots.map((spot) => [spot.key, []]));
  for (const element of board.querySelectorAll("[data-at]")) {
    if (!drawn.has(element.dataset.at)) drawn.set(element.dataset.at, []);
    drawn.get(element.dataset.at).push(element);
  }
  const marks = board.appendChild(svg("g", { class: "k-marks", "aria-hidden": "true" }));
  const [TEXT, END, FIRST] = [1, 2, 3]; // where the parts of a way stand; from the third on, its steps
  const [LARGE, AROUND] = [100, 2]; // an outline runs so far outside of what it marks, where that is not large
  const clicks = []; // what was clicked so far: the number of the spot, and the element that shows it, if any
  data.ways.forEach((way, number) => {
    const before = number ? Array.from(data.ways[number - 1][TEXT]) : [];
    way[TEXT] = before.slice(0, way[0]).join("") + way[TEXT];
  });
  let state = reached();

  // -- what the clicks lead to ---------------------------------------------------------------------------

  function wanted(way, step) {
    return data.steps[way[step]].slice(1);
  }

  // The keys that a bag lacks; null where the bag holds others.
  function lacking(keys, bag) {
    const left = [...keys];
    for (const key of bag) {
      const index = left.indexOf(key);
      if (index < 0) return null;
      left.splice(index, 1);
    }
    return left;
  }

  // The ways that are left after the clicks, the step they are at, and what was clicked for it; and the spots that came
  // with each click, as nothing else was possible.
  function reached() {
    const now = { ways: data.ways, step: FIRST, bag: [], end: null, along: [] };
    for (const { spot } of clicks) {
      now.along.push([]);
      if (over(now)) {
        now.end = spot;
        continue;
      }
      now.bag.push(spot);
      now.ways = now.ways.filter((way) => lacking(wanted(way, now.step), now.bag));
      while (!over(now) && (full(now) || forced(now))) {
        if (!now.bag.length) now.along.at(-1).push(...wanted(now.ways[0], now.step));
        now.step += 1;
        now.bag = [];
      }
    }
    return now;
  }

  function over({ ways, step }) {
    return !ways.length || step >= ways[0].length;
  }

  function full({ ways, step, bag }) {
    return wanted(ways[0], step).length === bag.length;
  }

  // Whether there is nothing to choose in a step.
  function forced({ ways, step, bag }) {
    return !bag.length && ways.every((way) => way[step] === ways[0][step]);
  }

  function ended() {
    return data.ways.length > 0 && over(state) && (state.end !== null || state.ways[0][END] < 0);
  }

  // The numbers of the spots that may be clicked next.
  function offered() {
    if (!data.ways.length || ended()) return new Set();
    if (over(state)) return new Set(data.ends[state.ways[0][END]].slice(1));
    return new Set(state.ways.flatMap((way) => lacking(wanted(way, state.step), state.bag)));
  }

  // The line of notation, as far as it is known.
  function line() {
    if (!clicks.length) return "";
    const texts = state.ways.map((way) => way[TEXT]);
    if (over(state)) return texts[0] + (state.end === null ? (ended() ? "" : "; …") : `; ${data.texts[state.end]}`);
    const differ = texts[0].split("").findIndex((sign, index) => texts.some((text) => text[index] !== sign));
    return `${texts[0].slice(0, texts[0].lastIndexOf(" ", differ < 0 ? texts[0].length : differ))} …`;
  }

  function asked() {
    if (!clicks.length || !data.ways.length) return data.due;
    if (ended()) return `The turn is complete: copy its line${data.mail ? ", or answer by mail" : ""}.`;
    if (over(state)) return data.asks[data.ends[state.ways[0][END]][0]];
    const asks = [...new Set(state.ways.map((way) => data.asks[data.steps[way[state.step]][0]]))].join(" Or: ");
    const sizes = new Set(state.ways.map((way) => wanted(way, state.step).length));
    const [size] = sizes;
    return asks + (sizes.size === 1 && size > 1 ? ` ${state.bag.length} of ${size} chosen.` : "");
  }

  // -- clicking ------------------------------------------------------------------------------------------

  function choose(number, element) {
    const free = drawn.get(spots[number].key).filter((each) => !chosen(each));
    clicks.push({ spot: number, element: element && !chosen(element) ? element : free[0] || element || null });
    show(() => `${[number, ...state.along.at(-1)].map((each) => spots[each].name).join(", and with it ")}: chosen. `);
  }

  function chosen(element) {
    return clicks.some((click) => click.element === element);
  }

  function back(to = clicks.length - 1) {
    if (to < 0) return;
    const [gone] = clicks.splice(to);
    show(() => `${spots[gone.spot].name}: taken back. `);
  }

  // A click on an element, which may have been meant for a part of it: it is chosen if it is offered, and taken back if it
  // was chosen and was hit itself. True if anything is done.
  function take(element, hit) {
    const [kind, place] = element.dataset.at.split("/");
    const number = numbers.get(element.dataset.at);
    const may = offered();
    const spare = drawn.get(element.dataset.at).some((each) => !chosen(each));
    const land = numbers.get(`region/${place}`);
    if (may.has(number) && (!chosen(element) || !spare)) choose(number, element);
    else if (kind === "follower" && !chosen(element) && may.has(land)) choose(land, null);
    else if (kind === "region" && within(place, may)) return true;
    else if (chosen(element) && hit) back(clicks.findIndex((click) => click.element === element));
    else return false;
    return true;
  }

  // A click on a region that is not offered itself: the one follower in it that is, or the list of them.
  function within(place, may) {
    const inside = [...may].filter((number) => spots[number].key.startsWith(`follower/${place}/`));
    if (inside.length === 1) choose(inside[0], null);
    else if (inside.length) at.list.querySelector(`[data-spot="${inside[0]}"]`).focus();
    return inside.length > 0;
  }

  // -- showing -------------------------------------------------------------------------------------------

  function show(news) {
    const active = document.activeElement;
    const [keyboard, from] = [active.matches(":focus-visible"), board.contains(active) ? board : at.list];
    state = reached();
    const may = offered();
    at.ask.replaceChildren(html("span", { class: "k-news" }, news()), asked());
    at.line.textContent = line();
    at.turn.hidden = !clicks.length;
    at.back.disabled = at.again.disabled = !clicks.length;
    at.copy.disabled = !ended();
    at.mail.hidden = !data.mail || !ended();
    if (ended() && data.mail) at.mail.href = data.mail + encodeURIComponent(`${line()}\r\n`);
    list(may);
    mark(may);
    tell();
    const lost = !active.isConnected || active.disabled || (from === board && !active.hasAttribute("tabindex"));
    if (keyboard && lost) focus(from);
  }

  // Where the keyboard goes on when what it was at is gone.
  function focus(from) {
    const next = ended() ? at.copy : from.querySelector("[tabindex='0'], button") || at.list.querySelector("button");
    if (next) next.focus();
  }

  // The spots that are offered as buttons, under their headings.
  function list(may) {
    const groups = new Map();
    spots.forEach((spot, number) => {
      if (!may.has(number)) return;
      if (!groups.has(spot.group)) groups.set(spot.group, []);
      const button = html("button", { type: "button", "aria-label": spot.name, "data-spot": number }, spot.short);
      button.addEventListener("click", () => choose(number, null));
      groups.get(spot.group).push(button);
    });
    at.list.replaceChildren(
      ...[...groups].map(([name, buttons]) => {
        const group = html("div", { role: "group", "aria-label": name, class: "k-group" });
        group.append(html("span", { "aria-hidden": "true" }, name), ...buttons);
        return group;
      }),
    );
  }

  // In the picture: dashes around what is offered, a thick line around what is chosen; one stop of the keyboard for each key.
  function mark(may) {
    marks.replaceChildren();
    for (const [key, elements] of drawn) {
      const number = numbers.get(key);
      const free = elements.filter((element) => !chosen(element));
      const [stop] = may.has(number) ? [...free, ...elements].map(shape) : [];
      for (const element of elements) {
        element.classList.toggle("k-may", may.has(number));
        for (const name of ["role", "tabindex", "aria-label"]) shape(element).removeAttribute(name);
      }
      if (may.has(number)) free.forEach((element) => outline(element, "k-offered"));
      else if (key.startsWith("region/") && hidden(key, may)) outline(elements[0], "k-offered");
      if (!stop) continue;
      stop.setAttribute("role", "button");
      stop.setAttribute("tabindex", "0");
      stop.setAttribute("aria-label", spots[number].name);
    }
    const shown = clicks.map((click) => click.element).filter(Boolean);
    for (const key of state.along.flat().map((number) => spots[number].key)) {
      shown.push(...drawn.get(key).filter((element) => !shown.includes(element)).slice(0, 1));
    }
    shown.forEach((element) => outline(element, "k-chosen"));
  }

  // Whether followers of a region are offered that the picture does not show, as they would come into it first.
  function hidden(region, may) {
    const inside = region.replace("region/", "follower/");
    return [...may].some((number) => spots[number].key.startsWith(`${inside}/`) && !drawn.get(spots[number].key).length);
  }

  // What an element looks like: its own shape, or the first one in it, behind which all else is drawn.
  function shape(element) {
    const shapes = "path, polygon, rect, circle";
    return element.matches(shapes) ? element : element.querySelector(shapes) || element;
  }

  function outline(element, name) {
    const seen = shape(element);
    const { a, b, c, d, e, f } = board.getScreenCTM().inverse().multiply(seen.getScreenCTM());
    const { x, y, width, height } = seen.getBBox();
    for (const layer of [`k-halo ${name}-halo`, name]) {
      const copy = seen.matches("text, g") ? svg("rect", { x, y, width, height, rx: 3 }) : seen.cloneNode(false);
      for (const own of ["role", "tabindex", "aria-label", "data-at"]) copy.removeAttribute(own);
      copy.setAttribute("class", layer);
      const [wider, higher] = [width, height].map((size) => (size < LARGE ? 1 + (2 * AROUND) / size : 1));
      const place = `translate(${x + width / 2} ${y + height / 2}) scale(${wider} ${higher})`;
      const home = `translate(${-x - width / 2} ${-y - height / 2})`;
      copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")}) ${place} ${home}`);
      marks.append(copy);
    }
  }

  // The rules of what was chosen.
  function tell() {
    const keys = [...new Set(clicks.map((click) => spots[click.spot].key))].filter((key) => data.rules[key]);
    at.rules.replaceChildren(
      ...keys.map((key) => {
        const [id, words, link] = data.rules[key];
        const told = html("p", {}, `${words} `);
        told.append(html("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, id));
        return told;
      }),
    );
  }

  function html(name, attributes, text = "") {
    return filled(document.createElement(name), attributes, text);
  }

  function svg(name, attributes) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, "");
  }

  function filled(element, attributes, text) {
    for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  }

  // -- the line ------------------------------------------------------------------------------------------

  async function copy() {
    try {
      await navigator.clipboard.writeText(line());
      at.ask.textContent = "The line is copied.";
    } catch {
      getSelection().selectAllChildren(at.line);
      const done = document.execCommand("copy");
      at.ask.textContent = done ? "The line is copied." : "The line is selected: copy it from there.";
    }
  }

  board.addEventListener("click", (event) => {
    const hit = event.target.closest("[data-at]");
    let element = hit;
    while (element && !take(element, element === hit)) element = element.parentElement.closest("[data-at]");
  });
  board.addEventListener("keydown", (event) => {
    const element = event.target.closest("[data-at]");
    if (![" ", "Enter"].includes(event.key) || !element) return;
    event.preventDefault();
    take(element, true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
  });
  at.back.addEventListener("click", () => back());
  at.again.addEventListener("click", () => back(clicks.length ? 0 : -1));
  at.copy.addEventListener("click", copy);
  show(() => "");
})();
