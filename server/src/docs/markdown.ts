import { Marked, type Token, type Tokens } from 'marked';
import { html, trustedHtml, type Html } from '../kit/html.ts';
import { linkSections } from './section-links.ts';

/** A heading of a page, for its contents and for the search. */
export type Heading = { readonly id: string; readonly depth: number; readonly title: string };

/** A part of a page under one heading, as plain words. */
export type Passage = { readonly id: string; readonly title: string; readonly text: string };

export type RenderedMarkdown = {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
};

/** Where a link of a document leads on this server. Undefined: to nothing that is served. */
export type Resolve = (href: string) => string | undefined;

/** The languages of programs, in the order of the guides. Their names are those of fences in Markdown. */
export const PROGRAM_LANGUAGES = { sh: 'curl', ts: 'TypeScript', python: 'Python', php: 'PHP' } as const;

/** A heading of the contract that has a number. */
const NUMBERED = /^(\d+(?:\.\d+)*)\.? /;

/** An item of a list has the number of its section, as `7.3`, where no heading has it. */
type Item = Tokens.ListItem & { id?: string };

/**
 * Renders a Markdown file of the repository. HTML in it is escaped.
 * Shape: `numbersItems` gives the items of a numbered section their numbers as ids, as the contract cites them.
 */
export function renderMarkdown(text: string, resolve: Resolve, numbersItems = false): RenderedMarkdown {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  const headings = headingsOf(tokens);
  if (numbersItems) numberItems(tokens, headings);
  const ids = headings.map(({ id }) => id);
  let isInLink = false;
  marked.use({
    renderer: {
      heading({ tokens: inner, depth }) {
        const id = ids.shift() ?? '';
        return `<h${depth} id="${id}">${this.parser.parseInline(inner)}</h${depth}>\n`;
      },
      html: ({ text: markup, block }) => (block && markup.startsWith('<!--') ? '' : escape(markup)),
      link({ href, tokens: inner }) {
        isInLink = true;
        const words = this.parser.parseInline(inner);
        isInLink = false;
        const target = /^(https?:|#)/.test(href) ? href : resolve(href);
        return target === undefined ? words : html`<a href="${target}">${trustedHtml(words)}</a>`.markup;
      },
      image: ({ text: words }) => escape(words),
      code: ({ text: program, lang = '' }) => codeBlock(program, lang).markup,
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
      },
      listitem(item: Item) {
        const id = item.id === undefined ? '' : ` id="${item.id}"`;
        return `<li${id}>${this.parser.parse(item.tokens)}</li>\n`;
      },
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
        const words = escape(plain(token.text));
        return isInLink ? words : linkSections(words, numbersItems);
      },
    },
  });
  return {
    title: headings[0]?.title ?? '',
    body: trustedHtml(marked.parser(tokens)),
    headings,
    passages: passagesOf(tokens, headings),
  };
}

/** A block of a program that a reader may copy. The chooser of a guide shows those of one language. */
export function codeBlock(program: string, lang: string): Html {
  const name = PROGRAM_LANGUAGES[lang as keyof typeof PROGRAM_LANGUAGES];
  return name === undefined
    ? html`<pre tabindex="0"><code>${program}</code></pre>`
    : html`<figure class="program ${lang}">
        <figcaption>${name}</figcaption>
        <pre tabindex="0"><code>${program}</code></pre>
      </figure>`;
}

const escape = (text: string): string => html`${text}`.markup;

/** The lexer leaves the few entities of our files as they are. */
const plain = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

function headingsOf(tokens: readonly Token[]): readonly Heading[] {
  const taken = new Set<string>();
  return tokens.flatMap((token) => {
    if (token.type !== 'heading') return [];
    const { depth, tokens: inner } = token as Tokens.Heading;
    const title = wordsOf(inner);
    const base = NUMBERED.exec(title)?.[1] ?? slugOf(title);
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base}-${count}`;
    taken.add(id);
    return [{ id, depth, title }];
  });
}

const slugOf = (title: string): string =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function numberItems(tokens: readonly Token[], headings: readonly Heading[]): void {
  const taken = new Set(headings.map(({ id }) => id));
  const rest = [...headings];
  let section = '';
  for (const token of tokens) {
    if (token.type === 'heading') section = rest.shift()?.id ?? '';
    if (token.type !== 'list' || !(token as Tokens.List).ordered || !/^\d/.test(section)) continue;
    const { items, start } = token as Tokens.List;
    for (const [index, item] of (items as Item[]).entries()) {
      const id = `${section}.${(start === '' ? 1 : start) + index}`;
      if (!taken.has(id)) item.id = id;
      taken.add(id);
    }
  }
}

/** The words of tokens, without their marks. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows]
          .flat()
          .map((cell) => wordsOf(cell.tokens))
          .join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => wordsOf(item.tokens)).join(' ');
      const { tokens: inner, text = '' } = token as { tokens?: Token[]; text?: string };
      if (token.type === 'html') return '';
      return inner === undefined ? plain(text) : wordsOf(inner) + (token.type === 'paragraph' ? ' ' : '');
    })
    .join('');
}

function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): readonly Passage[] {
  const rest = [...headings];
  const passages: { id: string; title: string; text: string }[] = [];
  for (const token of tokens) {
    const next = token.type === 'heading' ? rest.shift() : undefined;
    if (next !== undefined) passages.push({ id: next.id, title: next.title, text: '' });
    else if (token.type !== 'code' && passages.length > 0) (passages.at(-1) as { text: string }).text += ` ${wordsOf([token])}`;
  }
  return passages;
}
