// Beside the rows, because the help of commands loads it.

/** Acts that changed something, or that only showed data of people. */
export const ACTS_OF = ['changes', 'reads'] as const;
export type ActsOf = (typeof ACTS_OF)[number];

/** What only shows something is called so: `listOrders`. A test asks each operation; commands that only show are not acts. */
export const READ_NAMES = '^(list|read|search|show|count|summarize|stream|download)';

/** `only`: the SQL of a parameter, null where both are asked for. `operation`: the SQL of a name. */
export const isOnly = (only: string, operation: string): string =>
  `(${only}::text is null or (${operation} ~ '${READ_NAMES}') = (${only} = 'reads'))`;
