// Keeps the page's own files, so that it opens offline and says so. Requests to the service are never kept or queued.
const CACHE = 'page';

self.addEventListener('install', (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The page names all its files, to preload them. */
async function keepAll() {
  const page = await (await fetch('./')).text();
  const files = page.match(/(?<=")(page\/[^"]+|manifest[^"]+)/g);
  await (await caches.open(CACHE)).addAll(['./', ...files]);
}

const isOurs = ({ origin, pathname }) => {
  const path = pathname.slice(new URL(self.registration.scope).pathname.length);
  return origin === location.origin && (path === '' || path.startsWith('manifest') || path.startsWith('page/'));
};

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && isOurs(new URL(request.url))) event.respondWith(fromNetwork(request));
});

/** The network first: files of two versions do not fit together. */
async function fromNetwork(request) {
  const cache = await caches.open(CACHE);
  const key = request.mode === 'navigate' ? './' : request;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
