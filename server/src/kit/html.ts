/** HTML that is safe to send. `html` below makes it and escapes every text in it. */
export type Html = { readonly markup: string };

type Part = string | number | Html | readonly Html[];

/**
 * Makes HTML from a template. Every value that is not Html is escaped, for elements and for quoted attributes.
 * Shape: a template with texts, numbers, Html and lists of Html → Html, without the indentation of the template.
 */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: template.map((literal) => literal.replace(/\n\s*/g, '\n')) }, ...parts.map(render)) };
}

/** Empty, for a part of a page that is left out. */
export const NO_HTML: Html = { markup: '' };

/** Turns text into Html without escaping it. Only for our own style sheets and scripts, which no caller can change. */
export function trustedHtml(markup: string): Html {
  return { markup };
}

function render(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] as string);
