/** Some bytes of a file, and how many movements are in them. */
export type Drawn = { readonly bytes: Buffer; readonly rows: number };
