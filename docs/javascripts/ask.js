// The question box: it answers as you type, from the rules in assets/ask-data.js in the order that ranking.js gives them.
(() => {
  const root = document.documentElement;
  const script = document.currentScript;
  const form = document.querySelector("form.ask");
  const box = form.querySelector("input");
  const page = document.querySelector("[data-answers]"); // only on Ask
  const start = document.querySelector(".home"); // only on Start
  const MOST = 9;
  const REMEMBERED = 3;
  const PAUSE = 700; // ms until the status line speaks

  const to = (path, rest = "") => root.dataset.top + path + ("offline" in root.dataset && /(^|\/)$/.test(path) ? "index.html" : "") + rest;
  const pathOf = (rule) => `rules/${rule.id.replaceAll(".", "/")}/`;

  // -- what is remembered --------------------------------------------------------------------------------

  const stored = (key) => {
    try {
      return localStorage.getItem(`tkid-${key}`);
    } catch {
      return null; // the browser keeps nothing for this page
    }
  };
  const store = (key, value) => {
    try {
      localStorage.setItem(`tkid-${key}`, value);
    } catch {} // nothing is kept, and nothing else changes
  };
  const lastQuestions = () => {
    try {
      return JSON.parse(stored("questions") || "[]");
    } catch {
      return [];
    }
  };
  const remember = (question) => {
    const others = lastQuestions().filter((each) => each !== question);
    store("questions", JSON.stringify([question, ...others].slice(0, REMEMBERED)));
  };

  // -- the edition ---------------------------------------------------------------------------------------

  const select = document.querySelector(".ed select");
  const editions = [...select.options].map((option) => ({ key: option.value, code: option.dataset.code, short: option.dataset.short, name: option.text }));
  const known = (key) => editions.some((each) => each.key === key);
  const query = new URLSearchParams(location.search);
  const narrow = matchMedia("(max-width: 599px)");
  const nameEditions = () => {
    for (const [place, each] of editions.entries()) select.options[place].text = narrow.matches ? each.short : each.name;
  };
  narrow.addEventListener("change", nameEditions);
  nameEditions();
  let edition = [query.get("edition"), stored("edition"), "second"].find(known);

  function showEdition() {
    select.value = edition;
    for (const list of document.querySelectorAll(".asked[data-edition]")) list.hidden = list.dataset.edition !== edition;
  }
  function choose(key) {
    edition = key;
    store("edition", key);
    showEdition();
    if (page || start) keepAddress();
    document.dispatchEvent(new CustomEvent("edition", { detail: key }));
    if (box.value.trim()) update();
  }
  function keepAddress() {
    const now = new URLSearchParams();
    if (page && box.value.trim()) now.set("q", box.value.trim());
    if (edition !== "second") now.set("edition", edition);
    history.replaceState(null, "", now.size ? `?${now}` : location.pathname);
  }
  select.addEventListener("change", () => choose(select.value));

  // -- the rules -----------------------------------------------------------------------------------------

  const loads = new Map();
  const load = (path) => {
    if (!loads.has(path)) {
      loads.set(
        path,
        new Promise((done, failed) => {
          const tag = document.createElement("script");
          tag.src = new URL(path, script.src);
          tag.onload = done;
          tag.onerror = () => failed(new Error(path));
          document.head.append(tag);
        }),
      );
      loads.get(path).catch(() => loads.delete(path));
    }
    return loads.get(path);
  };
  const indexes = {}; // play has the rules of play, whole those about files and mails too
  const rules = new Map();

  async function ready(everything = false) {
    if (everything ? indexes.whole : indexes.play) return;
    const stemmer = load("../vendor/base-stemmer.js").then(() => load("../vendor/english-stemmer.js"));
    const data = [load("../assets/ask-data.js"), everything && load("../assets/ask-protocol.js")];
    await Promise.all([stemmer, load("ranking.js"), load("../assets/ask-pages.js"), ...data]);
    if (everything) prepare("whole", [ASK_DATA, ASK_PROTOCOL]);
    else prepare("play", [ASK_DATA]);
  }
  function prepare(name, packed) {
    const data = packed.map(tkidRanking.unpack);
    indexes[name] ??= tkidRanking.prepare(...data);
    for (const { rules: some, applies } of data) for (const rule of some) rules.set(rule.id, { ...rule, applies: applies[rule.applies] });
  }

  // -- what fits -----------------------------------------------------------------------------------------

  const code = () => editions.find((each) => each.key === edition).code;
  const appliesTo = (rule) => editions.filter((each) => rule.applies.includes(each.key));

  async function answers(question) {
    await ready();
    const found = tkidRanking.ask(indexes.play, question, code());
    if (found.fits && (found.confidence === 1 || !found.protocol)) return arranged(found, question);
    await ready(true);
    return arranged(tkidRanking.ask(indexes.whole, question, code()), question);
  }

  // Pages whose title has every word of a question, or whose title and one heading have: the shortest first. `tkid ask` finds the same.
  function pagesFor(question, whole) {
    const small = new Set(ASK_PAGES.small);
    const counting = (text) => wordsOf(text).filter((word) => !small.has(word));
    const same = (one, other) => one === other || (Math.min(one.length, other.length) > 3 && Math.abs(one.length - other.length) < 4 && (one.startsWith(other) || other.startsWith(one)));
    const asked = counting(question);
    const has = (words) => asked.length > 0 && asked.every((word) => words.some((other) => same(word, other)));
    const found = ASK_PAGES.pages.flatMap(({ path, title, headings }) => {
      const own = counting(title);
      if (has(own)) return [{ path, title, heading: "", size: own.length }];
      if (!whole) return [];
      const fits = headings.filter(([words]) => has([...own, ...counting(words)])).map(([heading, place]) => ({ path: path + (place && `#${place}`), title, heading, size: 100 + counting(heading).length }));
      return fits.sort((one, other) => one.size - other.size).slice(0, 1);
    });
    return found.sort((one, other) => one.size - other.size).slice(0, whole ? 3 : 1);
  }

  // At most nine rules in their groups: the answer or what may be meant, then related rules, other editions, and the rest.
  function arranged({ hits, certain, fits, unknown, corrected, reply }, question) {
    const all = hits.map((hit) => ({ ...hit, rule: rules.get(hit.id) }));
    const of = (group, most) => all.filter((hit) => hit.group === group).slice(0, most);
    const lost = !fits;
    const instead = lost ? reply : "";
    const pages = instead ? [] : pagesFor(question, lost);
    const elsewhere = all.length > 0 && !lost && all[0].rule.applies.length > 0 && !all[0].rule.applies.includes(edition);
    const best = lost ? (pages.length || instead ? [] : all.slice(0, 2)) : certain ? of("answer", 1) : of("maybe", 3);
    if (best.length && !lost) best[0].reply = reply;
    const related = lost ? [] : of("related", 3);
    const others = lost ? [] : of("editions", 3);
    const rest = lost ? [] : of("other", Math.max(0, Math.min(4, MOST - best.length - related.length - others.length)));
    return { all, certain, unknown, corrected, lost, elsewhere, pages, best, related, others, rest, instead };
  }

  // -- words ---------------------------------------------------------------------------------------------

  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const wordsOf = (text) => plain(text).match(/[a-z0-9]+/g) || [];
  const SMALL = new Set("a an and are as at be by can do does for from has have how i if in is it may me must my of on or the to what when where which who why with you your".split(" "));
  const alike = (one, other) => {
    const size = Math.min(one.length, other.length);
    return one === other || (size > 3 && one.slice(0, Math.max(4, size - 2)) === other.slice(0, Math.max(4, size - 2)));
  };
  const tell = (question) => wordsOf(question).filter((word) => !SMALL.has(word));

  // -- elements ------------------------------------------------------------------------------------------

  function el(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(name, value);
    made.append(...children.filter((child) => child || child === 0));
    return made;
  }
  function marked(text, question) {
    const asked = tell(question);
    return text.split(/([\p{L}\p{N}]+)/u).map((part, place) =>
      place % 2 && asked.some((word) => alike(word, plain(part))) ? el("mark", {}, part) : part,
    );
  }
  const small = (rule) => rule.picture && el("img", { src: to(rule.picture), alt: "", loading: "lazy" });

  // The pictures of a rule with their captions, as its page has them. They come after the words of the answer.
  function pictures(rule) {
    const place = el("figure", { hidden: "" });
    const fill = () => {
      const found = ASK_PICTURES[rule.id];
      if (!found) return;
      const sides = found.sides.map(([path, width, height, label, caption], side) => {
        const barred = side === 0 && found.barred ? [" ", el("b", {}, "Not allowed:"), ` ${found.barred}`] : [];
        return el("div", {}, el("img", { src: to(path), width, height, alt: label }), el("p", { class: "cap" }, caption, ...barred));
      });
      if (sides.length > 1) sides.splice(1, 0, el("div", { class: "to", "aria-hidden": "true" }, "→"));
      place.className = `ba${found.barred ? " barred" : ""}${found.wide ? " stack" : ""}${found.sides.length === 1 ? " one" : ""}`;
      place.append(...sides);
      place.hidden = false;
    };
    load("../assets/ask-pictures.js").then(fill, () => {}); // without them the words still answer
    return place;
  }
  const tag = (hit) => {
    const own = appliesTo(hit.rule);
    return own.length > 0 && !own.some((each) => each.key === edition) && el("span", { class: "tag" }, own[0].short);
  };
  const link = (rule) => to(pathOf(rule), edition === "second" ? "" : `?edition=${edition}`);

  function answer(hit, question, linked) {
    const rule = hit.rule;
    const say = hit.reply;
    const title = linked ? el("a", { href: link(rule) }, rule.title) : rule.title;
    const own = appliesTo(rule);
    return el(
      linked ? "article" : "div",
      { class: "answer" },
      say && el("p", { class: "say" }, say),
      el(linked ? "h3" : "p", { class: "title" }, title),
      el("p", {}, ...marked(rule.statement, question)),
      linked && pictures(rule),
      el(
        "div",
        { class: "meta" },
        own.length > 0 && el("span", { class: "applies" }, "Applies to", ...own.map((each) => el("span", { class: "tag" }, each.short))),
        el("span", { class: "id" }, rule.id),
      ),
    );
  }
  function hitOf(hit, question, linked) {
    const rule = hit.rule;
    return el(
      linked ? "a" : "div",
      { class: rule.picture ? "hit" : "hit t", href: linked ? link(rule) : undefined },
      el(linked ? "h3" : "p", { class: "title" }, tag(hit), rule.title),
      el("p", {}, ...marked(rule.short && rule.statement.length > 160 ? rule.short : rule.statement, question)),
      el("span", { class: "id" }, rule.id),
      small(rule),
    );
  }

  function pageOf(found, question, linked) {
    const { path, title, heading } = found;
    return el(
      linked ? "a" : "div",
      { class: "hit t", href: linked ? addressOf(found) : undefined },
      el(linked ? "h3" : "p", { class: "title" }, title),
      heading && heading !== title && el("p", {}, heading),
      el("span", { class: "id" }, `/${path}`),
    );
  }
  const addressOf = ({ path }) => to(path.split("#")[0], path.includes("#") ? `#${path.split("#")[1]}` : "");

  // The groups to show: a heading, how each rule in it is shown, and whether a desk shows them beside the answer.
  function groups(found) {
    const hits = (list) => list.map((hit) => [hitOf, hit]);
    const pages = [found.pages.length > 1 ? "Pages" : "A page", found.pages.map((each) => [pageOf, each])];
    if (found.lost) return [pages, ["These rules come closest", hits(found.best)]].filter(([, list]) => list.length);
    const [first, ...more] = found.best;
    return [
      ...(found.certain ? [] : [pages]),
      [found.certain ? "Answer" : "This is probably it", first ? [[answer, first]] : []],
      ...(found.certain ? [pages] : []),
      ["Or one of these", hits(more)],
      ["Related", hits(found.related)],
      ["Other editions", hits(found.others), true],
      ["More rules", hits(found.rest), true],
    ].filter(([, list]) => list.length);
  }
  const nameOf = (key) => editions.find((each) => each.key === key).name;
  function remark(found) {
    if (found.instead) return ["The rules don’t say.", found.instead.replaceAll("`", "")];
    if (found.lost && found.pages.length) return null;
    if (!found.all.length || found.lost) {
      const words = found.unknown.map((word) => `“${word}”`).join(" or ");
      return [`The rules don’t say.${words && ` No rule mentions ${words}.`}`, "Try one word, such as a card or a place."];
    }
    if (found.corrected.length) return ["", found.corrected.map(([typed, word]) => `“${typed}” taken as “${word}”`).join(", ")];
    if (found.elsewhere) return ["", `Not in ${nameOf(edition)}. ${nameOf(found.best[0].rule.applies[0])} says:`];
    return null;
  }
  function summary(found) {
    if ((found.lost || !found.all.length) && !found.pages.length) return remark(found)[0];
    const counts = [
      [found.pages.length, "page", "pages"],
      [found.certain ? 1 : 0, "answer", "answers"],
      [found.certain || found.lost ? 0 : found.best.length, "possible answer", "possible answers"],
      [found.related.length, "related rule", "related rules"],
      [found.others.length, "in other editions", "in other editions"],
      [found.rest.length, "more rule", "more rules"],
    ];
    return counts.filter(([count]) => count).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(", ");
  }

  // -- the status line -----------------------------------------------------------------------------------

  const status = el("p", { class: "vh", role: "status" });
  form.after(status);
  let waiting = 0;
  const announce = (text) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => (status.textContent = text), PAUSE);
  };

  // -- answers on Ask ------------------------------------------------------------------------------------

  const empty = page ? [...page.childNodes] : [];
  function showOnPage(found, question) {
    const parts = (aside) =>
      groups(found)
        .filter(([, , isAside]) => Boolean(isAside) === aside)
        .flatMap(([heading, list]) => [el("h2", { class: "group" }, heading), ...list.map(([shown, hit]) => shown(hit, question, true))]);
    const said = remark(found);
    const left = el("div", {}, said && el("div", { class: "answer none" }, said[0] && el("p", { class: "say" }, said[0]), el("p", {}, said[1])));
    left.append(...parts(false));
    const right = el("div", {}, ...parts(true));
    const more = el("div", { class: "more" });
    if (found.all.length > found.best.length + found.related.length + found.others.length + found.rest.length || !indexes.whole) {
      const button = el("button", { type: "button", class: "btn" }, `All ${found.all.length} results`);
      button.addEventListener("click", () => showAll(question));
      more.append(button);
    }
    more.append(el("a", { class: "btn", href: to("rules/") }, "All rules"), el("a", { class: "btn", href: to("glossary/") }, "Glossary"));
    (said ? left : right).append(more);
    page.replaceChildren(left, right);
    document.title = `${question}: The King is Dead`;
  }
  async function showAll(question) {
    await ready(true);
    const found = tkidRanking.ask(indexes.whole, question, code());
    const left = el("div", {}, el("h2", { class: "group", tabindex: "-1" }, `All ${found.hits.length} results`));
    left.append(...found.hits.map((hit) => hitOf({ ...hit, rule: rules.get(hit.id) }, question, true)));
    page.replaceChildren(left);
    left.firstChild.focus();
  }
  function showEmpty() {
    page.replaceChildren(...empty);
    const last = page.querySelector("[data-last]");
    const questions = lastQuestions();
    if (last && questions.length) {
      const items = questions.map((each) => el("li", {}, el("a", { href: `?q=${encodeURIComponent(each)}` }, el("b", {}, each))));
      last.replaceChildren(el("h2", {}, "Your last questions"), el("ul", { class: "asked" }, ...items));
    }
  }

  // -- answers under the box, on every other page --------------------------------------------------------

  const list = page ? null : el("div", { role: "listbox", id: "ask-list", class: "found", "aria-label": "Answers", hidden: "" });
  let options = [];
  let active = -1;
  if (list) {
    form.append(list);
    for (const [name, value] of Object.entries({ role: "combobox", "aria-expanded": "false", "aria-controls": "ask-list", "aria-autocomplete": "list" }))
      box.setAttribute(name, value);
    list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
  }
  function open(groupsOfOptions) {
    options = [];
    active = -1;
    box.removeAttribute("aria-activedescendant");
    list.replaceChildren(
      ...groupsOfOptions.map(([heading, made], place) => {
        const label = el("p", { class: "group", id: `ask-group-${place}`, role: "presentation" }, heading);
        return el("div", { role: "group", "aria-labelledby": label.id }, label, ...made);
      }),
    );
    list.hidden = !options.length && !groupsOfOptions.length;
    box.setAttribute("aria-expanded", String(!list.hidden));
    options = [...list.querySelectorAll("[role=option]")];
    options.forEach((each, place) => (each.id = `ask-${place}`));
  }
  function close() {
    if (!list) return;
    list.hidden = true;
    active = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }
  function activate(place) {
    options[active]?.removeAttribute("aria-selected");
    active = (place + options.length + 1) % (options.length + 1);
    if (active === options.length) active = -1;
    const now = options[active];
    if (!now) return box.removeAttribute("aria-activedescendant");
    now.setAttribute("aria-selected", "true");
    box.setAttribute("aria-activedescendant", now.id);
    now.scrollIntoView({ block: "nearest" });
  }
  function option(content, go) {
    const made = el("div", { role: "option", "aria-selected": "false" }, content);
    made.addEventListener("click", go);
    made.go = go;
    return made;
  }
  function showInList(found, question) {
    const follow = (hit) => () => {
      remember(question);
      location.href = hit.rule ? link(hit.rule) : addressOf(hit);
    };
    const made = groups(found).map(([heading, hits]) => [heading, hits.slice(0, 3).map(([shown, hit]) => option(shown(hit, question, false), follow(hit)))]);
    const said = remark(found);
    const every = option(el("b", {}, `All answers to “${question}”`), () => send(question));
    open([...(said ? [[`${said[0]} ${said[1]}`.trim(), []]] : []), ...made.slice(0, 3), ["", [every]]]);
  }
  function showLast() {
    const questions = lastQuestions();
    if (!questions.length) return close();
    open([["Your last questions", questions.map((each) => option(el("b", {}, each), () => send(each)))]]);
  }

  // -- typing --------------------------------------------------------------------------------------------

  let asked = "";
  async function update() {
    const question = box.value.trim();
    clear.hidden = !box.value;
    asked = question;
    if (question.length < 2) {
      announce("");
      if (page) showEmpty();
      else showLast();
      return;
    }
    try {
      const found = await answers(question);
      if (asked !== question) return; // somebody has typed on
      if (page) showOnPage(found, question);
      else showInList(found, question);
      announce(summary(found));
    } catch (error) {
      if (!(error instanceof Error) || !loadsFailed(error)) throw error;
      announce("The rules could not be loaded.");
    }
  }
  const loadsFailed = (error) => error.message.endsWith(".js");
  function send(question) {
    remember(question);
    const rest = new URLSearchParams({ q: question, ...(edition === "second" ? {} : { edition }) });
    location.href = to("ask/", `?${rest}`);
  }

  const clear = form.querySelector("button");
  clear.hidden = !box.value;
  form.action = to("ask/");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = box.value.trim();
    if (!question) return;
    if (!page) return send(question);
    remember(question);
    keepAddress();
    box.blur(); // a phone puts its keyboard away
  });
  form.addEventListener("reset", () => setTimeout(() => { update(); box.focus(); }));
  let address = 0;
  box.addEventListener("input", () => {
    update();
    clearTimeout(address);
    if (page) address = setTimeout(keepAddress, PAUSE);
  });
  box.addEventListener("focus", () => {
    ready().catch(() => {});
    if (matchMedia("(max-width: 899px)").matches && !page) form.scrollIntoView({ block: "start" });
    if (!page) update();
  });
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    const links = page ? [...page.querySelectorAll("a[href]")] : [];
    if (event.key === "Escape") {
      if (list && !list.hidden) close();
      else if (box.value) form.reset();
      else return;
    } else if (event.key === "ArrowDown" && page && links.length) links[0].focus();
    else if (event.key === "ArrowDown" && list && options.length) list.hidden ? update() : activate(active + 1);
    else if (event.key === "ArrowUp" && list && options.length) activate(active - 1);
    else if (event.key === "Enter" && list && !list.hidden && active >= 0) options[active].go();
    else return;
    event.preventDefault();
  });
  page?.addEventListener("keydown", (event) => {
    const links = [...page.querySelectorAll("a[href]")];
    const place = links.indexOf(document.activeElement);
    if (place < 0) return;
    if (event.key === "ArrowDown") (links[place + 1] || links[place]).focus();
    else if (event.key === "ArrowUp") (links[place - 1] || box).focus();
    else if (event.key === "Escape") box.focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
  });

  // -- at the beginning ----------------------------------------------------------------------------------

  select.closest("label").hidden = false;
  if (query.get("edition") && known(query.get("edition"))) store("edition", edition);
  showEdition();
  if (page) {
    box.value = query.get("q") || "";
    if (box.value) remember(box.value.trim());
    update();
    if (!box.value && matchMedia("(min-width: 900px)").matches) box.focus();
  }
  if (page || start) (window.requestIdleCallback || setTimeout)(() => ready().catch(() => {}));
})();
