import type { Change } from '../../design/values/difference.tsx';

/** Prints a body for people: one member a line. */
export const printBody = (body: string): string => JSON.stringify(JSON.parse(body), undefined, 2);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What differs between two bodies, member by member, in the order of the later one. */
export function fieldChanges(from: string, to: string): readonly Change[] {
  const [before, after] = [JSON.parse(from), JSON.parse(to)] as Readonly<Record<string, unknown>>[];
  const names = [...new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])];
  return names
    .map((name) => ({ name, was: before?.[name], is: after?.[name] }))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is))
    .map(({ name, was, is }) => ({
      field: name,
      name,
      ...(was !== undefined && { from: textOf(was) }),
      ...(is !== undefined && { to: textOf(is) }),
    }));
}
