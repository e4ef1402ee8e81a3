/** The names of classes that apply, with blanks between them. */
export const join = (...names: readonly (string | false | null | undefined)[]): string => names.filter((one) => one).join(' ');
