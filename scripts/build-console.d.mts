/** Builds the console where its sources are newer than the build. Shape: → the text of the failure, or undefined. */
export function buildConsole(root: string, node: string): string | undefined;
