/** HTML that is safe to send: made by `html` below, from which no text escapes unescaped. */
export type Html = { readonly markup: string };

type Part = string | number | Html | readonly Html[];

/**
 * Writes HTML; every value that is not itself Html is escaped, for texts and for quoted attributes.
 * Shape: a template with texts, numbers, Html and lists of Html → Html; the indentation of the template itself is not sent.
 */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: template.map((literal) => literal.replace(/\n\s*/g, '\n')) }, ...parts.map(render)) };
}

/** Nothing, where a part of a page is left out. */
export const NO_HTML: Html = { markup: '' };

/** Takes text for HTML as it is: for our own style sheets and scripts, which no caller can touch. */
export function trustedHtml(markup: string): Html {
  return { markup };
}

function render(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] as string);
