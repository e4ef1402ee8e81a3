import { readFileSync } from 'node:fs';
import { html, trustedHtml, type Html } from '../kit/html.ts';
import type { Language } from '../kit/language.ts';
import { sourceHash, PLAIN_LOOK, styleElement, styleSource, type Look } from './look.ts';

/** The headers of every page, and the document around its body. */
export type PageShell = {
  /** Of a page with a look; without one, of a page that belongs to no merchant. */
  headers(look?: Look): Readonly<Record<string, string>>;
  /** Of a page that is looked at and does nothing: the console may frame it. It runs and sends nothing, and has no origin. */
  inertHeaders(look: Look): Readonly<Record<string, string>>;
  page(language: Language, title: string, body: Html, look?: Look): string;
};

/**
 * Reads the style and script of the pages, and makes the shell of every page.
 * Shape: whether a page may send a form → headers and document. Style and script are inline, so that a page is one request.
 * The content security policy allows them by their hashes. It allows nothing else: no other inline code, nothing from another origin.
 * Source: contract §5.
 */
export function pageShell({ maySendForms }: { readonly maySendForms: boolean }): PageShell {
  const style = ['page-colours.css', 'page.css', 'page-print.css'].map(readAsset).join('\n');
  const script = readAsset('page.js');
  const policyOf = (look: Look): readonly string[] => [
    "default-src 'none'",
    `style-src '${sourceHash(style)}'${styleSource(look)}`,
    `script-src '${sourceHash(script)}'`,
    "connect-src 'self'",
    'img-src data:',
    `form-action '${maySendForms ? 'self' : 'none'}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const inert = (look: Look): readonly string[] => [
    'sandbox',
    "default-src 'none'",
    `style-src '${sourceHash(style)}'${styleSource(look)}`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    inertHeaders: (look) => ({
      'content-security-policy': inert(look).join('; '),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
      'x-robots-tag': 'noindex',
    }),
    headers: (look = PLAIN_LOOK) => ({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(look).join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    }),
    page: (language, title, body, look = PLAIN_LOOK) =>
      html`<!doctype html>
        <html lang="${language}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>${title}</title>
            <link rel="icon" href="${look.icon}" />
            ${trustedHtml(`<style>${style}</style>`)} ${styleElement(look)}
          </head>
          <body>
            ${body} ${trustedHtml(`<script>${script}</script>`)}
          </body>
        </html>`.markup,
  };
}

/** Reads a file without indents and comments, to send less. */
const readAsset = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(\/\/|\/\*.*\*\/$)/.test(line))
    .join('\n');
