// The worker of the site. Pages come from the network, and from the device when there is none; other files the other way round.
const CACHE = "tkid-BUILD";
const CORE = [];
const SCOPE = self.registration.scope;
const PATIENCE = 4000; // ms until a page that is on the device does not wait for the network any longer

const addressOf = (path) => new URL(path, SCOPE).href;
const bare = (url) => url.split(/[?#]/)[0];
const isPage = (url) => bare(url).endsWith("/");

self.addEventListener("install", (event) => {
  const requests = CORE.map((path) => new Request(addressOf(path), { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

// Pages and pictures that were read before this build stay; what has its place in this build is new already.
async function takeOver() {
  const cache = await caches.open(CACHE);
  for (const name of (await caches.keys()).filter((each) => each.startsWith("tkid-") && each !== CACHE)) {
    const old = await caches.open(name);
    for (const request of await old.keys()) {
      const stays = isPage(request.url) || request.url.endsWith(".svg");
      if (stays && !(await cache.match(request))) await cache.put(request, await old.match(request));
    }
    await caches.delete(name);
  }
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
  event.respondWith(isPage(request.url) ? page(event) : file(event));
});

async function fromNetwork(event) {
  const answer = await fetch(event.request);
  if (answer.ok && answer.type === "basic") {
    const copy = answer.clone();
    event.waitUntil(caches.open(CACHE).then((cache) => cache.put(bare(event.request.url), copy)));
  }
  return answer;
}

async function page(event) {
  const kept = await caches.match(bare(event.request.url));
  const network = fromNetwork(event);
  if (!kept) return network.catch(() => missing(event.request));
  const late = new Promise((done) => setTimeout(() => done(kept), PATIENCE));
  return Promise.race([network.catch(() => kept), late]);
}

async function file(event) {
  return (await caches.match(bare(event.request.url))) || fromNetwork(event).catch(() => Response.error());
}

// The short address of a rule leads to its page, as it does on the network. Any other page says that it is not here.
async function missing(request) {
  const rule = bare(request.url).slice(SCOPE.length).match(/^r\/([a-z0-9.-]+)\/$/);
  if (rule) return Response.redirect(addressOf(`rules/${rule[1].replaceAll(".", "/")}/`));
  const kept = await caches.match(addressOf("offline/"));
  if (request.mode !== "navigate" || !kept) return Response.error();
  const html = (await kept.text()).replace("<head>", `<head><base href="${addressOf("offline/")}">`);
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
