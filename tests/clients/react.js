// A page in jsdom, for kits that are React components. Import it before any of them: React looks for a window once.
import { JSDOM } from 'jsdom';

const dom = new JSDOM('<!doctype html><main></main>', { url: 'http://localhost/', pretendToBeVisual: true });
const { window } = dom;
const NAMES = ['window', 'document', 'HTMLElement', 'Element', 'Node', 'MutationObserver', 'getComputedStyle', 'requestAnimationFrame', 'cancelAnimationFrame', 'DOMRect'];
for (const name of NAMES) globalThis[name] = name === 'window' ? window : window[name];
Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true });
globalThis.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} };
globalThis.IntersectionObserver = globalThis.ResizeObserver;
window.HTMLElement.prototype.scrollTo = () => {};

const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');

/** Shows a component, and returns what a person sees and does. */
export function page(component, properties = {}) {
  const main = window.document.body.appendChild(window.document.createElement('main'));
  const root = createRoot(main);
  root.render(createElement(component, properties));

  /** Resolves when the page fulfils it. */
  function until(fulfilled) {
    return new Promise((done) => {
      const observer = new window.MutationObserver(look);
      observer.observe(main, { subtree: true, childList: true, characterData: true, attributes: true });
      function look() {
        if (!fulfilled()) return;
        observer.disconnect();
        done();
      }
      look();
    });
  }

  const elements = (selector) => [...main.querySelectorAll(selector)];
  const named = (label) => elements('button').findLast((button) => button.textContent === label && !button.disabled);
  return {
    until,
    texts: (selector) => elements(selector).map((element) => element.textContent),
    async click(label) {
      await until(() => named(label));
      named(label).click();
    },
    /** Until this is the last text of an answer. */
    answers: (words) => until(() => elements('.text').at(-1)?.textContent === words),
    close() {
      root.unmount();
      main.remove();
    },
  };
}
