import { createRequire } from 'node:module';
import { html, type Html } from './html.ts';

/** The first page loads it. Before that its memory belongs to requests. */
const load = (): typeof import('qrcode') => createRequire(import.meta.url)('qrcode') as typeof import('qrcode');

/** The margin that the standard requires: without it cameras do not find the code. */
const QUIET_MODULES = 4;

/**
 * Draws a text as a QR code in SVG, always dark on light, because tills read nothing else.
 * Not a bar code: a till needs a camera for both on a phone's screen. A QR code is readable at any angle and size.
 */
export function qrCode(text: string, title: string): Html {
  const { size, data } = load().create(text, { errorCorrectionLevel: 'M' }).modules;
  const side = size + 2 * QUIET_MODULES;
  let path = '';
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (data[row * size + column] !== 1) continue;
      const start = column;
      while (column + 1 < size && data[row * size + column + 1] === 1) column++;
      path += `M${start + QUIET_MODULES} ${row + QUIET_MODULES}h${column - start + 1}v1H${start + QUIET_MODULES}z`;
    }
  }
  return html`<svg class="qr" role="img" aria-label="${title}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">
    <path fill="#fff" d="M0 0h${side}v${side}H0z" />
    <path fill="#000" d="${path}" />
  </svg>`;
}
