import { createHash } from 'node:crypto';
import { contrast, readableOn } from '../brands/index.ts';
import { html, trustedHtml, type Html } from '../kit/html.ts';
import type { PageState } from './page-state.ts';

/** How one merchant's pages differ from others: what colours them, and the icon of their tab. */
export type Look = { readonly style: string; readonly icon: string };

/** As in page-colours.css. */
const DEFAULT_COLOUR = '#0a5c78';
const DARK_CARD = '#142027';
const DARK_INK = '#06222d';
const LEAST_CONTRAST = 4.5;

/** The look of pages that belong to no merchant. */
export const PLAIN_LOOK: Look = { style: '', icon: iconOf('$', DEFAULT_COLOUR) };

/** Makes the look of a merchant's pages. Pure. A colour has six hexadecimal digits, so it is safe in a style. */
export function lookOf(merchantName: string, colour: string | null): Look {
  return { style: colour === null ? '' : styleOf(colour), icon: iconOf(initialOf(merchantName), colour ?? DEFAULT_COLOUR) };
}

/** On paper all is black. On a dark screen the colour is lighter, and the text on it dark where that is read better. */
function styleOf(colour: string): string {
  const light = readableOn(DARK_CARD, colour, LEAST_CONTRAST);
  const onLight = contrast(light, DARK_INK) >= contrast(light, '#ffffff') ? DARK_INK : '#ffffff';
  return (
    `@media screen{:root{--accent:${colour};--on-accent:#fff}}` +
    `@media screen and (prefers-color-scheme:dark){:root{--accent:${light};--on-accent:${onLight}}}`
  );
}

/** A square in the merchant's colour with its initial. */
function iconOf(initial: string, colour: string): string {
  const square = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="${colour}" />
    <text x="16" y="22.5" font-family="sans-serif" font-size="18" font-weight="700" text-anchor="middle" fill="#fff">${initial}</text>
  </svg>`;
  return `data:image/svg+xml,${encodeURIComponent(square.markup)}`;
}

/** The first character of a name that is not a sign. */
const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '#';

/** Shows a logo, or an initial in its place. The name is written beside it, so it says nothing of its own. */
export function mark(name: string, logo: string | null, { pictures }: Pick<PageState, 'pictures'>): Html {
  const picture = logo === null ? undefined : pictures.get(logo);
  return picture === undefined
    ? html`<span class="mark" aria-hidden="true">${initialOf(name)}</span>`
    : html`<img class="mark" src="data:image/png;base64,${picture.toString('base64')}" alt="" />`;
}

/** The element of a look's style, and what the content security policy says of it. */
export const styleElement = ({ style }: Look): Html => trustedHtml(style === '' ? '' : `<style>${style}</style>`);
export const styleSource = ({ style }: Look): string => (style === '' ? '' : ` '${sourceHash(style)}'`);

/** The source of an inline style or script for a content security policy. */
export const sourceHash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
