import { createRequire } from 'node:module';
import { html, type Html } from '../kit/html.ts';

/** The first page loads it, in 75 ms. Commands and other tests do not spend them. */
const load = (): typeof import('bwip-js/node') => createRequire(import.meta.url)('bwip-js/node') as typeof import('bwip-js/node');

/** The margin on each side that the standard requires, in modules. */
const QUIET_MODULES = 10;
const HEIGHT = 40;

/** Draws a text as a Code 128 bar code in SVG, always dark on light. Tills without a camera read it from paper. */
export function code128(text: string, title: string): Html {
  const [{ sbs } = { sbs: [] }] = load().raw({ bcid: 'code128', text }) as readonly { readonly sbs: readonly number[] }[];
  let path = '';
  let at = QUIET_MODULES;
  for (const [index, width] of sbs.entries()) {
    if (index % 2 === 0) path += `M${at} 0h${width}v${HEIGHT}h-${width}z`;
    at += width;
  }
  const whole = at + QUIET_MODULES;
  return html`<svg
    class="bars"
    role="img"
    aria-label="${title}"
    viewBox="0 0 ${whole} ${HEIGHT}"
    preserveAspectRatio="none"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${whole}v${HEIGHT}H0z" />
    <path fill="#000" d="${path}" />
  </svg>`;
}
