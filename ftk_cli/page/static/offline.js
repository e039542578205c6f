// The service worker: it keeps all files of one version of the page, so that the page opens without a network.
// `ftk page` fills in the version and the files. A new version waits until no page of the old one is open, so they never mix.
const VERSION = "";
const FILES = [];
const KEPT = `ftk-${new URL(registration.scope).pathname}-`; // one host may have several pages
const NAME = KEPT + VERSION;

// A browser whose space is full refuses: then nothing is kept, and the page works with the network as before.
addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});

async function keep() {
  const cache = await caches.open(NAME);
  try {
    await cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(KEPT) && name !== NAME).map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(NAME);
  const asked = request.mode === "navigate" ? "index.html" : request;
  return (await cache.match(asked, { ignoreSearch: true })) ?? fetch(request);
}
