/** Columns of a line, less the semicolon at its end. Only a single word or quoted text makes a longer line. */
const MAX_COLUMNS = 119;
const INDENT = '  ';
/** A group in parentheses of this length is split only where it is the longest of its item. */
const SHORT_GROUP = 60;

/** A word of SQL, or a group in parentheses. `isSpaced`: white space comes before it. */
type Node = { readonly isSpaced: boolean } & ({ readonly text: string } | { readonly group: Nodes });
type Nodes = readonly Node[];

const WORD =
  /(\s+)|((?:[uU]&|[eE])?'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|--.*|\$\d+|[A-Za-z_]\w*|\d[\w.]*|::|[<>=!|~@#&*/+%^?-]+|[\s\S])/gu;

/** The words of an SQL text. Formatting keeps all of them, in their order. */
export function wordsOf(sql: string): readonly string[] {
  return [...sql.matchAll(WORD)].flatMap(([, , word]) => word ?? []);
}

/**
 * Formats an SQL statement for a reader. Each clause begins a line, and so do items that do not fit on one.
 * Only white space outside of quotes changes.
 */
export function formatSql(sql: string): string {
  return layOutQuery(parse(sql), '').join('\n');
}

function parse(sql: string): Nodes {
  const open: { readonly isSpaced: boolean; readonly group: Node[] }[] = [{ isSpaced: false, group: [] }];
  let isSpaced = false;
  for (const [, space, word = ''] of sql.matchAll(WORD)) {
    if (word.startsWith('--')) throw new Error(`a comment belongs into the code, not into a statement: ${word}`);
    const innermost = open.at(-1)!;
    if (word === '(') open.push({ isSpaced, group: [] });
    else if (word === ')') {
      open.pop();
      if (open.length === 0) throw new Error(`a parenthesis is not opened: ${sql}`);
      open.at(-1)!.group.push(innermost);
    } else if (word !== '') innermost.group.push({ isSpaced: isSpaced && word !== ',', text: word });
    isSpaced = space !== undefined;
  }
  if (open.length !== 1) throw new Error(`a parenthesis is not closed: ${sql}`);
  return open[0]!.group;
}

const flat = (nodes: Nodes): string => nodes.map((node, index) => (index === 0 ? flatNode(node) : withSpace(node))).join('');
const flatNode = (node: Node): string => ('text' in node ? node.text : `(${flat(node.group)})`);
const withSpace = (node: Node): string => (node.isSpaced ? ' ' : '') + flatNode(node);
const wordAt = (nodes: Nodes, index: number): string => {
  const node = nodes[index];
  return node !== undefined && 'text' in node ? node.text.toLowerCase() : '';
};
const fits = (line: string): boolean => line.length <= MAX_COLUMNS;

/** The words that begin a clause, each with the words after which they do not. */
const CLAUSES = new Map(
  Object.entries({
    select: [],
    insert: [],
    update: ['do', 'for', 'key'],
    delete: [],
    from: ['distinct', 'delete'],
    set: [],
    values: [],
    where: [],
    group: [],
    having: [],
    order: [],
    limit: [],
    offset: [],
    union: [],
    returning: [],
    for: [],
  }),
);
/** Clauses that begin with two words. */
const PAIRS = /^(group by|order by|union all|insert into|select distinct|delete from|on conflict)$/;
const pairAt = (nodes: Nodes, index: number): string => `${wordAt(nodes, index)} ${wordAt(nodes, index + 1)}`;

const startsClause = (nodes: Nodes, index: number): boolean =>
  index === 0 ||
  pairAt(nodes, index) === 'on conflict' ||
  pairAt(nodes, index - 2) === 'union all' ||
  CLAUSES.get(wordAt(nodes, index))?.every((word) => word !== wordAt(nodes, index - 1)) === true;

/** True where each `with` query, and what follows them, has lines of its own even if all fits on one. */
const isWith = (nodes: Nodes): boolean => wordAt(nodes, 0) === 'with';

/** Lays out a statement or a subquery: the lines at this indent. */
function layOutQuery(nodes: Nodes, indent: string): readonly string[] {
  const line = indent + flat(nodes);
  return fits(line) && !isWith(nodes) ? [line] : cut(nodes, startsClause).flatMap((clause) => layOutClause(clause, indent));
}

function layOutClause(clause: Nodes, indent: string): readonly string[] {
  const line = indent + flat(clause);
  if (fits(line) && !isWith(clause)) return [line];
  const heads = PAIRS.test(pairAt(clause, 0)) ? 2 : wordAt(clause, 0) === '' ? 0 : 1;
  const head = flat(clause.slice(0, heads));
  const items = split(clause.slice(heads));
  const [first, ...more] = items;
  if (first === undefined) return [indent + head];
  if (more.length === 0) return layOutItem(first, indent, indent + head + (head === '' ? '' : ' '));
  return [indent + head, ...fill(items, indent + INDENT)];
}

function cut(nodes: Nodes, starts: (nodes: Nodes, index: number) => boolean): readonly Nodes[] {
  const places = nodes.flatMap((_, index) => (index === 0 || starts(nodes, index) ? [index] : []));
  return places.map((place, index) => nodes.slice(place, places[index + 1]));
}

const isJoin = (nodes: Nodes, index: number): boolean =>
  wordAt(nodes, index) === 'join' ? !/^(left|cross)$/.test(wordAt(nodes, index - 1)) : /^(left|cross) join$/.test(pairAt(nodes, index));

/** Where an item may be split, the loosest place first. A new line begins at each of these words. */
const BREAKS: readonly ((nodes: Nodes, index: number) => boolean)[] = [
  (nodes, index) => wordAt(nodes, index - 1) === ',',
  isJoin,
  (nodes, index) => wordAt(nodes, index) === 'or',
  (nodes, index) => wordAt(nodes, index) === 'and' && wordAt(nodes, index - 2) !== 'between',
  (nodes, index) => /^(\|\||\+|-)$/.test(wordAt(nodes, index)),
  (nodes, index) => /^(when|else)$/.test(wordAt(nodes, index)),
];

/** Splits nodes at the loosest places that they have. A `case` is split last. */
function split(nodes: Nodes): readonly Nodes[] {
  const depths: number[] = [];
  for (const [index] of nodes.entries()) {
    const step = wordAt(nodes, index) === 'case' ? 1 : wordAt(nodes, index - 1) === 'end' ? -1 : 0;
    depths.push((depths.at(-1) ?? 0) + step);
  }
  for (const [kind, starts] of BREAKS.entries()) {
    const depth = kind === BREAKS.length - 1 ? 1 : 0;
    const items = cut(nodes, (all, index) => depths[index] === depth && starts(all, index));
    if (items.length > 1) return items;
  }
  return nodes.length === 0 ? [] : [nodes];
}

/** Puts as many items on a line as fit. An item that begins with a keyword, or needs several lines, has them for itself. */
function fill(items: readonly Nodes[], indent: string): readonly string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const item of items) {
    const text = flat(item);
    const last = lines.at(-1);
    const isOwn = /^(and|or|left|join|cross|when|else)$/.test(wordAt(item, 0));
    if (isOpen && !isOwn && last !== undefined && fits(`${last} ${text}`)) lines[lines.length - 1] = `${last} ${text}`;
    else {
      isOpen = fits(indent + text) && !item.some((node) => 'group' in node && isWith(node.group));
      lines.push(...(isOpen ? [indent + text] : layOutItem(item, indent, indent)));
    }
  }
  return lines;
}

/** Lays out one item: split, or the contents of its parentheses on lines of their own. `start` is what its first line begins with. */
function layOutItem(item: Nodes, indent: string, start: string): readonly string[] {
  if (fits(start + flat(item)) && !item.some((node) => 'group' in node && isWith(node.group))) return [start + flat(item)];
  const [first, ...more] = split(item);
  if (first !== undefined && more.length > 0) return [...layOutItem(first, indent, start), ...fill(more, indent + INDENT)];
  const longest = Math.max(...item.map((node) => ('group' in node ? flatNode(node).length : 0)));
  const lines: string[] = [];
  let line = start;
  for (const [index, node] of item.entries()) {
    const text = index === 0 ? flatNode(node) : withSpace(node);
    const isShort = flatNode(node).length < Math.min(longest, SHORT_GROUP);
    const rest = item
      .slice(index + 1)
      .map(withSpace)
      .join('');
    if ('text' in node || isShort || (fits(line + text + rest) && !isWith(node.group))) line += text;
    else {
      lines.push(`${line}${node.isSpaced && index > 0 ? ' ' : ''}(`, ...layOutGroup(node.group, indent + INDENT));
      line = `${indent})`;
    }
  }
  return [...lines, line];
}

const isQuery = (nodes: Nodes): boolean =>
  /^(select|with|insert|update|delete|values)$/.test(wordAt(nodes, 0)) || wordAt(nodes, 1) === 'union';

const layOutGroup = (nodes: Nodes, indent: string): readonly string[] =>
  isQuery(nodes) ? layOutQuery(nodes, indent) : fill(split(nodes), indent);
