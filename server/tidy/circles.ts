/**
 * Finds the circles of a graph: the groups of which every member reaches every other.
 * Shape: what each file imports → the circles, each sorted. A file that imports itself is one.
 * Tarjan's algorithm, which visits each file once.
 */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];

  function visit(file: string): void {
    indexes.set(file, indexes.size);
    lowest.set(file, indexes.get(file) as number);
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!indexes.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(next) as number));
    }
    if (lowest.get(file) !== indexes.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle.sort());
  }

  for (const file of imports.keys()) if (!indexes.has(file)) visit(file);
  return circles;
}
