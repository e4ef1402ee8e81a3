/** Every setting starts so: it makes no two names near. */
const SHARED_START = /^CAUDAL_/;

/**
 * Finds the name that a person most likely meant.
 * Shape: a text, names → the name that needs the fewest characters added, removed or replaced. Undefined where that is more than half of the text.
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const bare = text.replace(SHARED_START, '');
  const distances = new Map(names.map((name) => [name, distance(bare, name.replace(SHARED_START, ''))]));
  const far = bare.length / 2;
  return names
    .filter((name) => (distances.get(name) ?? 0) <= far)
    .toSorted((one, other) => (distances.get(one) ?? 0) - (distances.get(other) ?? 0))[0];
}

/** Row by row over a table of the two texts. Each cell is the distance of their beginnings. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const cells = [row + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      cells.push(Math.min(replaced, (above[column] ?? 0) + 1, (cells[column - 1] ?? 0) + 1));
    }
    above = cells;
  }
  return above[other.length] ?? 0;
}
