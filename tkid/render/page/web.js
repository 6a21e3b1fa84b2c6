// The page of a turn, at a host or for one file: it sends the turn or a text, and shows what happens meanwhile. What it says comes from the host.
"use strict";

(() => {
  const named = ["k-send", "k-line", "k-back", "k-since", "w-side", "w-send", "w-post", "w-text", "w-write", "w-say", "w-tell", "w-notify"];
  const [ready, line, back, since, side, send, post, text, write, message, tell, notify] = named.map((name) => document.getElementById(name));
  const [SEEN, HIDDEN] = [4000, 60000]; // how often it asks, in milliseconds, as long as the host does not tell it of changes
  const GUARD = 500; // so long after it appears, the button takes no press
  const LOST = "No answer came from the host. Send it again: it counts only once.";
  const AWAY = "Not sent: there is no connection. What you chose stays here, and nothing is sent without you.";
  const life = new AbortController();
  const label = send.textContent;
  const { tried } = send.dataset; // on a page to try out turns: those before
  const subject = side.dataset.about || ""; // what is sent is about this, unless it is about a letter
  const live = message ? new EventSource(`${location.pathname}/live`) : { readyState: EventSource.CLOSED, close() {} }; // a file tells nothing
  let [token, about, busy, shown, told] = [fresh(), subject, false, performance.now(), ""];
  let up = Promise.resolve(); // nothing moves under a finger

  function fresh() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function say(words, ...more) {
    const news = document.getElementById("w-news") || document.getElementById("w-over"); // of the page as it is by now
    news.hidden = !words;
    news.replaceChildren(words, ...more);
  }

  async function deliver(words) {
    if (busy || !words.trim()) return;
    busy = true;
    for (const each of [send, post, tell]) if (each) each.disabled = true;
    send.textContent = "Sending …";
    say("Sending …");
    let [said, status, turns] = [LOST, 0, []];
    try {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(location.pathname, { method: "POST", headers, body: JSON.stringify({ text: words, token, about }), redirect: "error" });
      const { next, said: heard, turns: offered = [] } = await answer.json();
      [said, status, turns] = [heard, answer.status, offered];
      if (answer.ok) history.replaceState(null, "", next ? `/g/${next}` : location.pathname);
    } catch {
      // no answer, or none of the host
    }
    if (!status && !navigator.onLine) said = AWAY;
    if (status === 200) [token, text.value] = [fresh(), ""];
    if (status === 200 && message) message.value = "";
    const making = !back.disabled && words !== line.textContent; // a message leaves the turn in the making alone
    if (status === 409 || (status === 200 && !making)) await look(true).catch(() => {});
    say(said, ...turns.map((turn) => button(turn, () => deliver(turn))));
    send.textContent = status ? label : "Send again";
    busy = false;
    for (const each of [post, tell]) if (each) each.disabled = false;
    send.disabled = ready.hidden;
  }

  // Ask the host for the page as it is now, and show it; while a turn or a text is in the making, say so and wait.
  async function look(always = false) {
    const answer = await fetch(location.pathname + location.search, { headers: always ? {} : { "If-None-Match": `"${side.dataset.tag}"` } });
    if (![200, 404, 410].includes(answer.status) || life.signal.aborted) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    await up;
    if (life.signal.aborted) return;
    if (always || (back.disabled && !text.value.trim() && !message?.value.trim() && !busy)) return show(page, !always);
    const mark = answer.headers.get("ETag") || `"${answer.status}"`;
    side.dataset.tag = mark.slice(1, -1);
    if (mark === told) return;
    told = mark;
    say("The game has gone on. What you have chosen is still here.", button("Show it", () => show(page)));
  }

  function button(words, press) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", press);
    return made;
  }

  function show(page, moved = false) {
    const [typed, written, open, down, at, before] = [text.value, message?.value, write.open, scrollY, document.activeElement.id, since.textContent];
    life.abort();
    live.close();
    document.title = page.title;
    document.body.replaceWith(page.body);
    for (const script of document.body.querySelectorAll("script:not([type])")) {
      const again = document.createElement("script");
      again.textContent = script.textContent;
      script.replaceWith(again);
    }
    const field = document.getElementById("w-text");
    if (field) field.value = typed;
    const note = document.getElementById("w-say");
    if (note) note.value = written;
    if (field && open) document.getElementById("w-write").open = true;
    scrollTo(0, down);
    if (at) document.getElementById(at)?.focus();
    const now = document.getElementById("k-since");
    if (!moved || !now || now.textContent === before) return;
    document.getElementById("k-head").classList.add("w-live");
    now.prepend("Just now: ");
    if (!notify || document.getElementById("w-notify") || !document.hidden || globalThis.Notification?.permission !== "granted") return;
    try {
      new Notification(document.title, { body: now.textContent, tag: location.pathname });
    } catch {
      // on some phones pages may not
    }
  }

  async function watch() {
    if (life.signal.aborted) return;
    try {
      if (!busy) await look();
    } catch {
      // there is no connection: it asks again
    }
    setTimeout(watch, document.hidden || live.readyState === EventSource.OPEN ? HIDDEN : SEEN);
  }

  // A page that nobody sees, and that tells nobody, asks when it is seen.
  live.onmessage = () => busy || (document.hidden && globalThis.Notification?.permission !== "granted") || look().catch(() => {});

  new MutationObserver(() => (shown = performance.now())).observe(ready, { attributes: true, attributeFilter: ["hidden"] });
  send.addEventListener("click", () => {
    about = subject;
    if (ready.hidden || performance.now() - shown < GUARD) return;
    if (tried === undefined) deliver(line.textContent);
    else location.search = `?try=${encodeURIComponent([tried, line.textContent].filter(Boolean).join("\n"))}`;
  });
  post.addEventListener("click", () => deliver(text.value));
  tell?.addEventListener("click", () => {
    const words = message.value.replace(/\s+/g, " ").trim(); // in one line, so that no other order is read from it
    about = "";
    if (words) deliver(`say to all: ${words}`);
  });
  if (notify && globalThis.Notification?.permission === "default") notify.hidden = false;
  notify?.addEventListener("click", async () => (notify.hidden = (await Notification.requestPermission()) !== "default"));
  side.addEventListener("click", (event) => {
    const link = event.target.closest("[data-text]");
    if (!link) return;
    event.preventDefault();
    about = link.closest("[data-letter]")?.dataset.letter ?? subject;
    text.value = decodeURIComponent(link.dataset.text).trim();
    write.open = true;
    text.focus();
  });
  document.addEventListener("pointerdown", () => (up = new Promise((done) => {
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, done, { once: true });
  })), { signal: life.signal });
  document.addEventListener("visibilitychange", () => document.hidden || busy || look().catch(() => {}), { signal: life.signal });
  setTimeout(watch, document.hidden ? HIDDEN : SEEN);
})();
