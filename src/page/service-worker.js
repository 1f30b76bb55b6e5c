// Keeps the page's own files, so that it opens offline and says so. Requests to the service are never kept or queued.
const CACHE = 'page';
const FILES = [
  './', 'manifest.webmanifest',
  'page/api.js', 'page/app.js', 'page/card.js', 'page/chat.js', 'page/conversation.js',
  'page/expense-form.js', 'page/expenses.js', 'page/format.js', 'page/identity.js', 'page/keys.js',
  'page/ledger.js', 'page/overview.js', 'page/page.css', 'page/proposals.js', 'page/receipts.js',
  'page/sheet.js', 'page/sign-in.js', 'page/state.js', 'page/tokens.css', 'page/ui.js',
  'page/vendor/preact.js',
];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const isOurs = (url) => {
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
  return url.origin === location.origin && (path === '' || path === 'manifest.webmanifest' || path.startsWith('page/'));
};

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !isOurs(new URL(request.url))) return;
  event.respondWith(fromNetwork(request));
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
