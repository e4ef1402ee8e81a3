/** An address for each page with parts in its path. The console of tests has what they name. */
export const EXAMPLES: Readonly<Record<string, string>> = {};
