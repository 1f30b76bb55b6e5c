// What the page uses of Preact, its signals and htm. `npm run vendor` bundles it into src/page/vendor/preact.js.
import { h } from 'preact';
import htm from 'htm';

export { Fragment, render } from 'preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
export { batch, computed, effect, signal, useComputed, useSignal } from '@preact/signals';
export const html = htm.bind(h);
