// Lets the site work without a network: its files are kept, and taken from there. Its version and its files stand above
// this line when `cargo xtask site` has written it. A new version is fetched whole, and used when no page of the old
// one is open any more. Of the modules only the one is kept that this browser uses, which the page names.

/** @type {any} */
const worker = globalThis;

const used = new URL(worker.location.href).searchParams.get("module");
const isKept = (/** @type {string} */ file) => !/\.wasm(\.gz)?$/.test(file) || file.endsWith(`/${used}`);

worker.addEventListener("install", (/** @type {any} */ event) => {
  const files = FILES.filter(isKept).map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(
    caches.open(VERSION).then((cache) => cache.addAll([...files, new Request("./", { cache: "no-cache" })])),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("tengen-") && name !== VERSION));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET") return;
  const kept = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then((response) => response ?? fetch(event.request)));
});
