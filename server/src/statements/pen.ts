import type PdfDocument from 'pdfkit';

/** The fonts that every reader of PDF has. So none is in the file, and its text can be selected and searched. */
const FONTS = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const;
/** As pdfkit names the fonts of a document, in the order in which they were first used. */
const NAMES = { regular: 'F1', bold: 'F2' } as const;
type Weight = keyof typeof FONTS;

/** The encoding of these fonts, without what steers a terminal. */
const FIRST_CODE = 0x20;
const CODES = Array.from({ length: 256 - FIRST_CODE }, (_, place) => FIRST_CODE + place).filter((code) => code !== 0x7f);
const LETTERS: ReadonlyMap<string, string> = new Map(
  CODES.map((code) => [new TextDecoder('windows-1252').decode(Uint8Array.of(code)), String.fromCharCode(code)]),
);
/** In place of a letter that the fonts do not have. */
const UNKNOWN = '?';
const COMBINING = /\p{M}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** A text in the letters of the fonts, a byte each. In place of a letter that they lack stands the one without its accents, or else `?`. */
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  let encoded = '';
  for (const letter of text.normalize('NFC')) {
    const known = LETTERS.get(letter);
    if (known !== undefined) encoded += known;
    else for (const part of letter.normalize('NFKD').replaceAll(COMBINING, '')) encoded += LETTERS.get(part) ?? UNKNOWN;
  }
  return encoded;
}

const escaped = (bytes: string): string => (/[()\\]/.test(bytes) ? bytes.replaceAll(/[()\\]/g, String.raw`\$&`) : bytes);
const EM = 1_000;
const short = (number: number): string => String(Math.round(number * 100) / 100);

type Ink = { readonly size?: number; readonly weight?: Weight; readonly grey?: number; readonly align?: 'left' | 'right' };

/** Draws on the pages of a document. Places are points from the upper left corner. */
export type Pen = {
  /** Writes one line. One that is longer than `room` gets smaller letters. `y`: of its base line. */
  text(x: number, y: number, room: number, text: string, ink?: Ink): void;
  /** Breaks a text into lines that fit, between any two letters where there is no space. */
  lines(text: string, room: number, size: number): readonly string[];
  box(x: number, y: number, width: number, height: number, grey: number): void;
  rule(x: number, y: number, width: number, grey?: number): void;
  /** Ends the page, and begins another. Shape: → the bytes that are ready. */
  turn(): Buffer;
  /** Ends the document. */
  end(): Buffer;
};

const SIZE = 7;

/**
 * Opens a pen. It writes the operators of a page itself, as text: by pdfkit's `text` a row of a statement takes 190 µs, so 30.
 */
export function openPen(doc: InstanceType<typeof PdfDocument>, { height }: { readonly height: number }): Pen {
  const widths = { regular: new Float64Array(256), bold: new Float64Array(256) };
  let isBegun = false;
  let [shapes, texts] = [[] as string[], [] as string[]];
  let written = '';
  for (const weight of ['regular', 'bold'] as const) {
    doc.font(FONTS[weight]).fontSize(EM);
    for (const [letter, byte] of LETTERS) widths[weight][byte.charCodeAt(0)] = doc.widthOfString(letter);
  }
  const widthOf = (bytes: string, size: number, weight: Weight): number => {
    const own = widths[weight];
    let sum = 0;
    for (let place = 0; place < bytes.length; place++) sum += own[bytes.charCodeAt(place)] ?? 0;
    return (sum * size) / EM;
  };
  const taken = (): Buffer => {
    const parts: Buffer[] = [];
    for (let part = doc.read() as Buffer | null; part !== null; part = doc.read() as Buffer | null) parts.push(part);
    return Buffer.concat(parts);
  };
  const put = (): void => {
    // pdfkit has turned the page upside down.
    if (isBegun) doc.addContent(`q 1 0 0 -1 0 ${short(height)} cm\n${shapes.join('\n')}\nBT\n${texts.join('\n')}\nET\nQ`);
    [shapes, texts, written] = [[], [], ''];
  };
  return {
    text: (x, y, room, text, { size = SIZE, weight = 'regular', grey = 0, align = 'left' } = {}) => {
      const bytes = encode(text);
      const natural = widthOf(bytes, size, weight);
      const scale = Math.min(1, room / natural);
      const left = align === 'right' ? x + room - natural * scale : x;
      const ink = `/${NAMES[weight]} ${short(size * scale)} Tf ${grey} g `;
      texts.push(`${ink === written ? '' : ink}1 0 0 1 ${short(left)} ${short(height - y)} Tm (${escaped(bytes)}) Tj`);
      written = ink;
    },
    lines: (text, room, size) => breakLines(text, (part) => widthOf(encode(part), size, 'regular'), room),
    box: (x, y, across, down, grey) =>
      void shapes.push(`${grey} g ${short(x)} ${short(height - y - down)} ${short(across)} ${short(down)} re f`),
    rule: (x, y, across, grey = 0.6) =>
      void shapes.push(`${grey} G 0.5 w ${short(x)} ${short(height - y)} m ${short(x + across)} ${short(height - y)} l S`),
    turn: () => {
      put();
      doc.addPage();
      // pdfkit lists the fonts of a page where it writes with them.
      for (const weight of ['regular', 'bold'] as const) doc.font(FONTS[weight]).fontSize(1).text(' ', 0, 0, { lineBreak: false });
      isBegun = true;
      return taken();
    },
    end: () => {
      put();
      doc.end();
      return taken();
    },
  };
}

function breakLines(text: string, widthOf: (part: string) => number, room: number): readonly string[] {
  if (text === '') return [];
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  let [line, width, space] = ['', 0, 0];
  for (const letter of text) {
    const own = widthOf(letter);
    if (line !== '' && width + own > room) {
      const end = space > 0 ? space : line.length;
      lines.push(line.slice(0, end));
      line = line.slice(end).trimStart();
      [width, space] = [widthOf(line), 0];
    }
    if (letter === ' ') space = line.length;
    line += letter;
    width += own;
  }
  return [...lines, line];
}
