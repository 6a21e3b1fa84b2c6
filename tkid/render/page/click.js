// A turn put together by clicks. What is legal, what each step changes and how the board then looks was worked out before
// and is in the page as data (tkid.render.click_data); nothing here knows a rule of the game.
"use strict";

(() => {
  const named = ["head", "board", "rows", "panel", "courts", "ask", "note", "list", "send", "does", "brings", "copy", "mail", "share", "turn", "line", "back", "rules", "choices"];
  const at = Object.fromEntries(named.map((name) => [name, document.getElementById(`k-${name}`)]));
  const data = JSON.parse(at.choices.textContent);
  const pictures = [...document.querySelectorAll("#k-board > svg, #k-rows > svg")];
  const all = (selector) => pictures.flatMap((picture) => [...picture.querySelectorAll(selector)]);
  const go = at.turn.querySelector("#k-line + *"); // what the whole turn is for: sending, mostly
  const SVG = "http://www.w3.org/2000/svg";

  // -- the data ------------------------------------------------------------------------------------------

  const signs = new Map([...data.signs].map((sign, number) => [sign, number]));
  const sign = [...data.signs];
  const read = (row) => [...row].map((sign) => signs.get(sign));
  const spots = data.spots.map(([key, name, group, short]) => ({ key, name, group, short }));
  const numbers = new Map(spots.map((spot, number) => [spot.key, number]));
  const ways = unpacked();
  const steps = data.steps.map(read).map(([ask, changes, ...keys]) => ({ ask, changes, keys }));
  const ends = data.ends.map(read).map(([ask, ...keys]) => ({ ask, keys }));
  const calm = parts(data.calm);
  const groups = new Map(all("g[data-part]").map((group) => [group.dataset.part, group]));
  const original = new Map([...groups].map(([name, group]) => [name, [...group.childNodes]]));
  const shown = new Map(); // the elements that a part shows instead of its own
  const marks = new Map(pictures.map((picture) => [picture, picture.appendChild(svg("g", { class: "k-marks", "aria-hidden": "true" }))]));
  const AROUND = 11.8; // the radius of the ring around a piece
  const COPIED = "The line is copied. Paste it into your answer.";
  const AHEAD = "The board may differ then. ";
  const when = document.getElementById("w-when"); // what has to happen before a plan plays; the first is what the board shows
  const MOST = 10; // more choices of several kinds are not shown side by side
  const CAME = 1; // in what happened to a piece: it came
  let drawn = new Map(); // the elements of the picture by their keys
  const clicks = []; // the number of each spot that was clicked
  let opened = ""; // the region whose followers are listed
  let state = reached();

  // The ways, each with all that it shares with the one before it.
  function unpacked() {
    const found = [];
    let [text, taken] = ["", []];
    for (const row of data.ways) {
      const all = [...row];
      const [same, end, shared, fresh] = all.slice(0, 4).map((sign) => signs.get(sign));
      taken = [...taken.slice(0, shared), ...all.slice(4, 4 + fresh).map((sign) => signs.get(sign))];
      text = [...text].slice(0, same).join("") + all.slice(4 + fresh).join("");
      found.push({ number: found.length, text, steps: taken, end: end - 1 });
    }
    return found;
  }

  // Parts of the picture by name, each with the elements that it shows.
  function parts(row) {
    return row.split(" ").filter(Boolean).map((part) => [data.parts[signs.get([...part][0])], [...part].slice(1).join("")]);
  }

  // -- what the clicks lead to ---------------------------------------------------------------------------

  function wanted(way, step) {
    return steps[way.steps[step]].keys;
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

  // The ways that are left after the clicks, the step they are at, and what was clicked for it; the spots that came with
  // each click, as nothing else was possible; what has happened at each place; and what is chosen and has changed nothing.
  function reached() {
    const now = { ways, step: 0, bag: [], end: null, along: [], places: new Map(), chosen: [] };
    for (const spot of clicks) {
      now.along.push([]);
      now.chosen.push(spot);
      if (over(now)) {
        now.end = spot;
        happen(now, data.after[spot]);
        continue;
      }
      now.bag.push(spot);
      now.ways = now.ways.filter((way) => lacking(wanted(way, now.step), now.bag));
      while (!over(now) && (full(now) || forced(now))) {
        if (!now.bag.length) {
          now.along.at(-1).push(...wanted(now.ways[0], now.step));
          now.chosen.push(...wanted(now.ways[0], now.step));
        }
        happen(now, steps[now.ways[0].steps[now.step]].changes);
        now.step += 1;
        now.bag = [];
      }
    }
    return now;
  }

  function happen(now, change) {
    const row = read(data.changes[change]);
    if (!row.length) return;
    now.chosen = [];
    for (let index = 0; index < row.length; index += 2) {
      now.places.set(row[index], [...(now.places.get(row[index]) || []), row[index + 1]]);
    }
  }

  // A state of a place as it is written in the data.
  function written(place, now = state) {
    const row = [...(now.places.get(place) || [])].sort((one, other) => one - other);
    return row.map((number) => sign[number]).join("");
  }

  function over({ ways: left, step }) {
    return !left.length || step >= left[0].steps.length;
  }

  function full({ ways: left, step, bag }) {
    return wanted(left[0], step).length === bag.length;
  }

  // Whether there is nothing to choose in a step.
  function forced({ ways: left, step, bag }) {
    return !bag.length && left.every((way) => way.steps[step] === left[0].steps[step]);
  }

  function ended() {
    return ways.length > 0 && over(state) && (state.end !== null || state.ways[0].end < 0);
  }

  // The numbers of the spots that may be clicked next.
  function offered() {
    if (!ways.length || ended()) return new Set();
    if (over(state)) return new Set(ends[state.ways[0].end].keys);
    return new Set(state.ways.flatMap((way) => lacking(wanted(way, state.step), state.bag)));
  }

  // What is sent: the turn, and the text around it.
  function whole() {
    const [before, behind] = data.around;
    return clicks.length ? before + line() + (ended() ? behind : "") : before ? `${before}…` : "…";
  }

  // The line of notation, as far as it is known.
  function line() {
    if (!clicks.length) return "";
    const texts = state.ways.map((way) => way.text);
    if (over(state)) return texts[0] + (state.end === null ? (ended() ? "" : "; …") : `; ${data.texts[state.end]}`);
    const letters = texts.map((text) => [...text]);
    const [first] = letters;
    let same = 0;
    while (same < first.length && letters.every((text) => text[same] === first[same])) same += 1;
    const whole = letters.some((text) => text.length === same);
    const end = whole ? same : first.slice(0, same).lastIndexOf(" ");
    return end > 0 ? `${first.slice(0, end).join("")} …` : "…";
  }

  function asked() {
    if (!ways.length) return data.due;
    if (ended()) return data.around[0] ? "Your plan is complete." : "Your turn is complete.";
    if (over(state)) return data.asks[ends[state.ways[0].end].ask];
    const asks = [...new Set(state.ways.map((way) => data.asks[steps[way.steps[state.step]].ask]))].join(" Or: ");
    const sizes = new Set(state.ways.map((way) => wanted(way, state.step).length));
    const [size] = sizes;
    return asks + (sizes.size === 1 && size > 1 ? ` ${state.bag.length} of ${size} chosen.` : "");
  }

  // What the whole turn brings: [line, smaller line, shape, faction, ...].
  function outlook() {
    if (when?.selectedIndex) return null;
    const [way] = state.ways;
    const own = data.brings[way.number];
    if (own) return data.outlooks[own[state.end ?? -1]];
    const place = data.stakes[way.number] ?? data.stake;
    return place in data.settled ? data.outlooks[data.settled[place][written(place)]] : null;
  }

  // -- clicking ------------------------------------------------------------------------------------------

  function choose(number) {
    clicks.push(number);
    show(() => `${[...new Set([number, ...state.along.at(-1)])].map((each) => spots[each].name).join(", and with it ")}: chosen. `);
  }

  function back(to = clicks.length - 1) {
    if (opened) return show(() => "");
    if (to < 0) return;
    const [gone] = clicks.splice(to);
    show(() => `${spots[gone].name}: taken back. `);
  }

  // A click on an element, which may have been meant for a part of it: it is chosen if it is offered, and taken back if it
  // was chosen and was hit itself. True if anything is done.
  function take(element, hit) {
    const { at: key } = element.dataset;
    const [kind, place] = key.split("/");
    const number = numbers.get(key);
    const may = offered();
    const chosen = marked().get(element);
    const spare = drawn.get(key).some((each) => !marked().has(each));
    const land = numbers.get(`region/${place}`);
    if (may.has(number) && (chosen === undefined || !spare)) choose(number);
    else if (kind === "follower" && chosen === undefined && may.has(land)) choose(land);
    else if (kind === "region" && within(place, may)) return true;
    else if (chosen !== undefined && hit) back(clicks.lastIndexOf(number));
    else return false;
    return true;
  }

  // A click on a region that is not offered itself: the one follower in it that is, or the list of them.
  function within(place, may) {
    const inside = [...may].filter((number) => spots[number].key.startsWith(`follower/${place}/`));
    if (inside.length === 1) choose(inside[0]);
    else if (inside.length && !unfold(spots[inside[0]].group)) at.list.querySelector(`[data-spot="${inside[0]}"]`).focus();
    return inside.length > 0;
  }

  // Say why something cannot be chosen, if it is of a kind that is asked for.
  function refuse(key) {
    const [kind, place] = key.split("/");
    const kinds = new Set([...offered()].map((number) => spots[number].key.split("/")[0]));
    const lands = ["region", "follower"];
    if (!kinds.has(kind) && !(lands.includes(kind) && lands.some((each) => kinds.has(each)))) return;
    const rule = played();
    const closed = data.barred[key] || data.barred[`region/${place}`];
    const general = rule ? [`That cannot be chosen here. ${rule[1]}`, rule[0], rule[2]] : ["That cannot be chosen here."];
    say(...(closed || general));
  }

  function say(words, id = "", link = "") {
    at.note.replaceChildren(words);
    if (link) at.note.append(" ", html("a", { href: link, target: "_blank", rel: "noopener noreferrer", "aria-label": `Rule ${id}` }, "Rule"));
  }

  // The rule of the card that was chosen.
  function played() {
    const ruled = clicks.map((spot) => data.rules[spots[spot].key]).filter(Boolean);
    return ruled.at(-1);
  }

  // -- showing -------------------------------------------------------------------------------------------

  function show(news) {
    const active = document.activeElement;
    const [keyboard, from] = [active.matches(":focus-visible"), pictures.find((picture) => picture.contains(active)) || at.list];
    state = reached();
    const may = offered();
    draw();
    at.ask.replaceChildren(html("span", { class: "k-news" }, news()), asked());
    at.line.textContent = whole();
    at.line.classList.toggle("k-long", whole().length > 60);
    at.turn.hidden = !ways.length;
    at.back.disabled = !clicks.length;
    courts();
    note();
    list(may);
    mark(may);
    finish();
    tell();
    const lost = !active.isConnected || active.disabled || active.closest("[hidden]") || (from !== at.list && !active.hasAttribute("tabindex"));
    if (keyboard && lost) focus(from);
  }

  // Where the keyboard goes on when what it was at is gone.
  function focus(from) {
    const next = ended() ? go : from.querySelector("[tabindex='0'], button") || at.list.querySelector("button");
    if (next) next.focus();
  }

  // The board as it is after the clicks: as it was, then without the marks of the last turn, then what has happened.
  function draw() {
    const now = new Map(clicks.length ? calm : []);
    const moved = new Map();
    for (const place of state.places.keys()) {
      const { look, pieces } = seen(place);
      for (const [name, elements] of parts(look)) now.set(name, elements);
      if (pieces) moved.set(parts(data.pieces[place].head)[0][0], pieces);
    }
    for (const [name, group] of groups) {
      if (moved.has(name)) shown.set(name, null);
      else if (shown.get(name) === now.get(name)) continue;
      group.replaceChildren(...(now.has(name) ? parsed(now.get(name)) : original.get(name)));
      if (moved.has(name)) group.append(...moved.get(name));
      else if (now.has(name)) shown.set(name, now.get(name));
      else shown.delete(name);
    }
    drawn = new Map(spots.map((spot) => [spot.key, []]));
    for (const element of all("[data-at]")) {
      if (!drawn.has(element.dataset.at)) drawn.set(element.dataset.at, []);
      drawn.get(element.dataset.at).push(element);
    }
  }

  // How a place looks: its parts as elements, and the pieces that stand there, if they are moved here.
  function seen(place) {
    const known = data.pieces[place];
    if (!known) return { look: data.looks[place]?.[written(place)] || "" };
    const whats = state.places.get(place).map((number) => data.whats[number]);
    const standing = known.kinds.map((kind) => ({ kind, look: "here" }));
    for (const [kind] of whats.filter((what) => what[1] === CAME)) standing.push({ kind, look: "came" });
    for (const [kind] of whats.filter((what) => what[1] !== CAME)) {
      standing.find((piece) => piece.kind === kind && piece.look !== "gone").look = "gone";
    }
    const at = known.places[standing.length - known.kinds.length];
    const counts = known.shapes.map((_, kind) => standing.filter((piece) => piece.kind === kind && piece.look !== "gone").length);
    const ground = known.grounds[counts.map((count) => sign[count]).join("")] || "";
    return { look: `${known.head} ${ground}`, pieces: standing.flatMap((piece, index) => standingAt(known, piece, at[2 * index], at[2 * index + 1])) };
  }

  function standingAt({ shapes }, { kind, look }, x, y) {
    const [here, ghost, key] = shapes[kind];
    if (look === "gone") return [svg("use", { href: `#${ghost}`, x, y })];
    const ring = look === "came" ? [svg("circle", { cx: x, cy: y, r: AROUND, class: "came" })] : [];
    return [...ring, svg("use", { href: `#${here}`, x, y, "data-at": key })];
  }

  function parsed(row) {
    const text = read(row).flatMap((element) => read(data.elements[element]).map((tag) => data.tags[tag])).join("");
    const document_ = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
    return [...document.importNode(document_.documentElement, true).childNodes];
  }

  // How many a drawn piece stands for: a number may be beside it.
  function amount(element) {
    const found = /^×?(\d+)$/.exec(element.nextElementSibling?.textContent);
    return found ? Number(found[1]) : 1;
  }

  // The courts in a line each, for screens that are too small for the rows of the players.
  function courts() {
    const kinds = new Map(spots.filter(({ key }) => /^f(ollower|action)/.test(key)).map(({ key, short }) => [key.split("/").at(-1), short]));
    const rows = data.players.map((name, seat) => {
      const row = html("p", { role: "img", class: groups.get(`panel-${seat}`)?.querySelector(".panel") ? "k-court k-on" : "k-court" });
      const told = [];
      row.append(html("strong", {}, name));
      for (const [key, [piece]] of drawn) {
        if (!key.startsWith(`court/${seat}/`) || !piece) continue;
        const letter = key.split("/")[2];
        const [gain] = /[+−]\d+/.exec(piece.nextElementSibling?.nextElementSibling?.textContent) || [];
        told.push(`${amount(piece)} ${kinds.get(letter) || letter}`);
        row.append(emblem(`piece-${letter}`), html("span", {}, String(amount(piece))), ...(gain ? [html("em", {}, gain)] : []));
      }
      const hand = [...(groups.get(`hand-${seat}`)?.querySelectorAll("text") || [])];
      const [left] = hand.flatMap((text) => /^\d+(?= cards?)/.exec(text.textContent) || []);
      if (left) row.append(html("i", {}, left));
      row.setAttribute("aria-label", `${name}: court ${told.join(", ")}; ${left || "no"} cards in hand`);
      return row;
    });
    at.courts.hidden = !rows.some((row) => row.querySelector("svg"));
    at.courts.replaceChildren(...rows);
  }

  // A line below the question: how things stand, or what the card that was chosen does.
  function note() {
    const rule = played();
    if (!clicks.length) say(data.forecast);
    else if (ended()) say(!go ? "" : data.around[0] ? `${when?.selectedIndex ? AHEAD : ""}Nothing is saved yet.` : "Nothing is sent yet.");
    else if (rule && !over(state)) say(rule[1], rule[0], rule[2]);
    else say(outlook() ? `Now: ${outlook()[0]}.` : "");
  }

  // What is offered, as buttons: cards in the order of the hand, those that cannot be played faded; regions in the order of
  // their struggles. Followers in several regions are listed by region; a press on one with several lists these.
  function list(may) {
    opened = "";
    const offers = spots.map((spot, number) => ({ ...spot, number })).filter(({ number }) => may.has(number));
    const standing = new Map(); // the offered followers of each region
    for (const offer of offers.filter(({ key }) => key.startsWith("follower/"))) {
      standing.set(offer.group, [...(standing.get(offer.group) || []), offer]);
    }
    const hand = all('[data-at^="card/"]').map((card) => card.dataset.at);
    const cells = [];
    const folds = [];
    for (const offer of offers) {
      const several = standing.get(offer.group);
      const apart = standing.size > 1 && several?.includes(offer);
      if (apart && several[0] !== offer) continue;
      const button = apart ? place(offer.key, offer.group, several) : choice(offer);
      if (apart && several.length > 1) {
        const inner = several.map((each) => pressed(choice(each), each.number));
        const fold = grid(inner, { role: "group", "aria-label": offer.group, hidden: "" });
        button.dataset.fold = offer.group;
        button.addEventListener("click", () => unfold(offer.group));
        folds.push(fold);
      } else pressed(button, offer.number);
      cells.push({ button, rank: offer.key.startsWith("card/") ? hand.indexOf(offer.key) : 100 + (struggle(offer.key) || 100) });
    }
    if (!clicks.length) {
      const barred = ways.length ? data.barred : Object.fromEntries(hand.map((key) => [key, [data.due]]));
      for (const [key, reason] of Object.entries(barred).filter(([each]) => each.startsWith("card/"))) {
        const name = key.slice(key.indexOf("/") + 1);
        const button = choice({ key, name, short: name });
        button.setAttribute("aria-disabled", "true");
        button.addEventListener("click", () => say(...reason));
        cells.push({ button, rank: hand.indexOf(key) });
      }
    }
    cells.sort((one, other) => one.rank - other.rank);
    let shown = cells.map(({ button }) => button);
    const places = shown.filter((button) => button.matches(".k-place"));
    if (cells.length > MOST && places.length && places.length < cells.length) {
      const button = html("button", { type: "button", class: "k-cell" }, "Followers");
      button.addEventListener("click", () => unfold("Followers"));
      folds.unshift(grid(places, { role: "group", "aria-label": "Followers", hidden: "" }));
      shown = [...shown.filter((each) => !places.includes(each)), button];
    }
    at.list.hidden = !cells.length;
    at.list.replaceChildren(grid(shown, {}), ...folds);
    at.list.scrollTo(0, 0);
  }

  function grid(buttons, attributes) {
    const many = buttons.length;
    const box = html("div", { ...attributes, class: many > 2 ? "k-grid k-tight" : "k-grid" });
    const few = buttons.some((button) => button.matches(".k-card, .k-place")) ? 4 : many === 4 ? 2 : many;
    box.style.setProperty("--n", many <= 4 ? few : many <= 8 || many > 14 ? 4 : many <= 10 ? 5 : 7);
    box.append(...buttons);
    return box;
  }

  function pressed(button, number) {
    button.dataset.spot = number;
    button.addEventListener("click", () => choose(number));
    return button;
  }

  // List the followers of one region, if they are listed apart; back leads out again.
  function unfold(name) {
    const fold = [...at.list.children].find((box) => box.getAttribute("aria-label") === name);
    if (!fold) return false;
    opened = name;
    for (const box of at.list.children) box.hidden = box !== fold;
    at.back.disabled = false;
    fold.firstElementChild.focus();
    say(`${name}: which one?`);
    return true;
  }

  // The number of the struggle for the region of a key; 0 if it has none.
  function struggle(key) {
    return Number(groups.get(`order-${key.split("/")[1]}`)?.textContent || 0);
  }

  function choice({ key, name, short }) {
    const kind = key.split("/")[0];
    if (["region", "space"].includes(kind)) return place(key, short, null, name);
    const button = html("button", { type: "button", class: "k-cell", "aria-label": name });
    const [seen] = (drawn.get(key) || []).filter((element) => element.getBBox().width);
    const letter = key.split("/").at(-1);
    if (kind === "card" && seen) {
      const { width, height } = box(seen);
      const small = width < 50; // a small card is shown whole; of a large one the upper part, with its name as text
      button.classList.add("k-card");
      const copy = copied(seen, small ? {} : { height: 0.62 * height });
      button.append(copy);
      if (small) return button;
      for (const text of copy.querySelectorAll("text")) text.remove();
      const [times] = /×\d+/.exec(seen.textContent) || [];
      if (times) button.append(html("i", { class: "k-times", "data-n": times }));
    } else if (kind === "follower" || kind === "faction") button.append(emblem(`piece-${letter}`));
    else if (seen) button.append(copied(seen));
    button.append(html("span", { class: short.length > 9 ? "k-name k-long" : "k-name" }, short));
    const many = kind === "follower" ? count(key) : 1;
    if (many > 1) button.append(html("span", {}, `×${many}`));
    return button;
  }

  function count(key) {
    return (drawn.get(key) || []).reduce((sum, element) => sum + amount(element), 0);
  }

  // A region as a button: the number of its struggle, its name, and its followers, or only those that are offered.
  function place(key, name, only, label = name) {
    const code = key.split("/")[1];
    const button = html("button", { type: "button", class: "k-cell k-place" });
    const head = html("span", { class: name.length > 9 ? "k-name k-long" : "k-name" });
    const order = groups.get(`order-${code}`);
    if (order) head.append(html("i", { class: order.querySelector(".solid") ? "k-order k-solid" : "k-order", "data-n": order.textContent }));
    head.append(name);
    const kinds = [...drawn.keys()].filter((each) => each.startsWith(`follower/${code}/`) && (!only || only.some((one) => one.key === each)));
    const counted = kinds.map((each) => [each, count(each)]).filter(([, many]) => many);
    const few = counted.reduce((sum, [, many]) => sum + many, 0) <= 4;
    const pieces = html("span", { class: counted.length > 3 ? "k-pieces k-many" : "k-pieces" });
    for (const [each, many] of counted) {
      const letter = each.split("/")[2];
      for (let shown = few ? many : 1; shown; shown -= 1) pieces.append(emblem(`piece-${letter}`));
      if (!few) pieces.append(html("i", { "data-n": many }));
    }
    const told = counted.map(([each, many]) => `${many} ${spots[numbers.get(each)]?.short || each.split("/")[2]}`);
    button.setAttribute("aria-label", key.startsWith("space/") || !told.length ? label : `${label}: ${told.join(", ")}`);
    button.append(head, ...(key.startsWith("space/") ? [] : [pieces]));
    return button;
  }

  // A copy of what is drawn, for a button.
  function copied(element, part = {}) {
    const { x, y, width, height } = { ...box(element), ...part };
    const copy = element.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("*")]) for (const name of ["role", "tabindex", "aria-label", "data-at", "transform"]) {
      if (name !== "transform" || each === copy) each.removeAttribute(name);
    }
    copy.removeAttribute("class");
    const frame = svg("svg", { viewBox: `${x - 1} ${y - 1} ${width + 2} ${height + 2}`, "aria-hidden": "true", "data-part": "" });
    frame.append(copy);
    return frame;
  }

  function box(element) {
    const { x, y, width, height } = element.getBBox();
    return { x, y, width, height };
  }

  // The elements that are chosen and have not yet changed anything, each with its spot.
  function marked() {
    const found = new Map();
    for (const spot of state.chosen) {
      const free = (drawn.get(spots[spot].key) || []).find((element) => !found.has(element));
      if (free) found.set(free, spot);
    }
    return found;
  }

  // In the picture: faded what is of a kind that is asked for and cannot be chosen, a ring or a line around what is chosen;
  // one stop of the keyboard for each key.
  function mark(may) {
    for (const each of marks.values()) each.replaceChildren();
    const kinds = new Set([...may].map((number) => spots[number].key.split("/")[0]));
    const chosen = marked();
    for (const [key, elements] of drawn) {
      const can = may.has(numbers.get(key));
      const free = elements.filter((element) => !chosen.has(element));
      const [stop] = can ? [...free, ...elements] : [];
      const faded = kinds.has(key.split("/")[0]) && !can;
      const whole = groups.get(key.replace("/", "-"));
      for (const element of elements) {
        const focus = shape(element);
        element.classList.toggle("k-may", can);
        element.classList.toggle("k-off", faded && !whole && !chosen.has(element));
        for (const name of ["role", "tabindex", "aria-label"]) focus.removeAttribute(name);
      }
      if (whole) whole.classList.toggle("k-off", faded && !elements.some((element) => chosen.has(element)));
      if (!stop) continue;
      shape(stop).setAttribute("role", "button");
      shape(stop).setAttribute("tabindex", "0");
      shape(stop).setAttribute("aria-label", spots[numbers.get(key)].name);
    }
    for (const element of chosen.keys()) outline(element);
  }

  // What an element looks like: its own shape, or the first one in it, behind which all else is drawn.
  function shape(element) {
    const shapes = "path, polygon, rect, circle, use";
    return element.matches(shapes) ? element : element.querySelector(shapes) || element;
  }

  function outline(element) {
    const seen = shape(element);
    const picture = element.ownerSVGElement;
    const { a, b, c, d, e, f } = picture.getScreenCTM().inverse().multiply(seen.getScreenCTM());
    const { x, y, width, height } = seen.getBBox();
    const small = Math.max(width, height) < 2 * AROUND;
    const copy = small ? svg("circle", { cx: x + width / 2, cy: y + height / 2, r: AROUND }) : seen.cloneNode(false);
    for (const own of ["role", "tabindex", "aria-label", "data-at", "fill"]) copy.removeAttribute(own);
    copy.setAttribute("class", "k-chosen");
    copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    marks.get(picture).append(copy);
  }

  // The rules of what was chosen.
  function tell() {
    const keys = [...new Set(clicks.map((spot) => spots[spot].key))].filter((key) => data.rules[key]);
    at.rules.replaceChildren(
      ...keys.map((key) => {
        const [id, words, link] = data.rules[key];
        const told = html("p", {}, `${words} `);
        told.append(html("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, id));
        return told;
      }),
    );
  }

  // The end: what the turn brings, and how it is sent.
  function finish() {
    at.send.hidden = at.does.hidden = !ended();
    if (go) go.disabled = !ended();
    if (at.mail && !ended()) at.mail.removeAttribute("href");
    if (!ended()) return;
    const [text, small, id, ...factions] = outlook() || ["", ""];
    const [words, detail] = [text, small].map((each) => each.replaceAll("–", "\u2060–\u2060")); // a score is not broken
    at.brings.hidden = !words;
    const told = html("p", {}, words);
    if (detail) told.append(html("small", {}, detail));
    at.brings.replaceChildren(...(id && document.getElementById(id) ? [emblem(id)] : []), told);
    const stripes = factions.map((faction, n) => `var(--tint${faction}) ${9 * n}px ${9 * (n + 1)}px`);
    at.brings.style.background = stripes.length > 1 ? `repeating-linear-gradient(45deg,${stripes.join()})` : stripes.length ? `var(--tint${factions[0]})` : "";
    if (at.mail) at.mail.href = data.mail + encodeURIComponent(`${whole()}\r\n`);
    at.share.hidden = !navigator.share;
  }

  function emblem(id) {
    const frame = svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true", "data-part": "" });
    frame.append(svg("use", { href: `#${id}` }));
    return frame;
  }

  function html(name, attributes, text = "") {
    return filled(document.createElement(name), attributes, text);
  }

  function svg(name, attributes) {
    return filled(document.createElementNS(SVG, name), attributes, "");
  }

  function filled(element, attributes, text) {
    for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  }

  // On a phone the map gets the height that the rest leaves, and keeps it: nothing moves while a turn is put together.
  function fit() {
    const width = at.board.clientWidth;
    const { "--w": wide, "--h": high } = Object.fromEntries(["--w", "--h"].map((name) => [name, Number(getComputedStyle(at.board).getPropertyValue(name))]));
    if (!wide) return;
    const room = document.documentElement.clientHeight - at.head.offsetHeight - at.panel.offsetHeight;
    at.board.style.setProperty("--low", Math.min(0.88, Math.max(0.565, (room * wide) / width / high)).toFixed(3));
  }

  // -- the line ------------------------------------------------------------------------------------------

  async function copy() {
    try {
      await navigator.clipboard.writeText(whole());
      at.ask.textContent = COPIED;
    } catch {
      getSelection().selectAllChildren(at.line);
      const done = document.execCommand("copy");
      at.ask.textContent = done ? COPIED : "The line is selected: copy it from there.";
    }
  }

  async function share() {
    try {
      await navigator.share({ text: whole() });
    } catch {
      at.ask.textContent = "Nothing was shared.";
    }
  }

  for (const picture of pictures) {
    picture.addEventListener("click", (event) => {
      const hit = event.target.closest("[data-at]");
      let element = hit;
      while (element && !take(element, element === hit)) element = element.parentElement.closest("[data-at]");
      if (hit && !element) refuse(hit.dataset.at);
    });
    picture.addEventListener("keydown", (event) => {
      const element = event.target.closest("[data-at]");
      if (![" ", "Enter"].includes(event.key) || !element) return;
      event.preventDefault();
      take(element, true);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
  });
  at.back.addEventListener("click", () => back());
  when?.addEventListener("change", () => {
    data.around[0] = when.value;
    show(() => `${when.selectedOptions[0].text}. `);
  });
  at.copy?.addEventListener("click", copy);
  at.share.addEventListener("click", share);
  show(() => "");
  fit();
})();
