/** A place in the repository and what is wrong there. */
export type Finding = { readonly path: string; readonly line?: number; readonly problem: string };

/**
 * Folders whose prose does not follow the rules yet. The list only shrinks: a folder without findings is printed, then taken off.
 * At the end it is empty, and this file goes.
 */
export const PROSE_NOT_YET: readonly string[] = [];

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The findings outside of the allowed folders, as text. */
export function notAllowed(findings: readonly Finding[], allowed: readonly string[]): readonly string[] {
  return findings
    .filter(({ path }) => !allowed.some((folder) => isIn(path, folder)))
    .map(({ path, line, problem }) => `${path}${line === undefined ? '' : `:${line}`} ${problem}`);
}

/** Prints the allowed folders that have no findings any more. */
export function printDone(findings: readonly Finding[], allowed: readonly string[]): void {
  const done = allowed.filter((folder) => !findings.some(({ path }) => isIn(path, folder)));
  if (done.length > 0) console.log(`Take these off the list in server/tidy/allowed.ts: ${done.join(', ')}`);
}
