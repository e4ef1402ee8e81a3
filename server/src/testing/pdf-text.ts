import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A text on a page and where it begins, in points from the left and from the bottom. */
type Placed = { readonly text: string; readonly x: number; readonly y: number };

/** Reads a PDF with the reader of Firefox. Shape: → its pages; of each its lines, top to bottom; of each its texts, left to right. */
export async function readPdf(bytes: Buffer): Promise<readonly (readonly (readonly string[])[])[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const placed = items.flatMap((item): Placed[] =>
      'str' in item && item.str.trim() !== '' ? [{ text: item.str, x: item.transform[4] as number, y: item.transform[5] as number }] : [],
    );
    const lines = [...Map.groupBy(placed, ({ y }) => Math.round(y * 10))].toSorted(([one], [other]) => other - one);
    pages.push(lines.map(([, line]) => line.toSorted((one, other) => one.x - other.x).map(({ text }) => text)));
  }
  await document.destroy();
  return pages;
}
