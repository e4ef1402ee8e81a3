import { HOME_NAME } from '../kit/per-cell.ts';

/** The name of a cell: what commands and CAUDAL_CELLS call it. */
export const CELL_NAME_PATTERN = '^[a-z][a-z0-9-]{0,29}$';

/** Reads names with commas between them; undefined for what is none. Home is always served, and may be named. */
export function parseCellNames(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  const pattern = new RegExp(CELL_NAME_PATTERN);
  return names.every((name) => pattern.test(name)) ? names.filter((name) => name !== HOME_NAME) : undefined;
}
