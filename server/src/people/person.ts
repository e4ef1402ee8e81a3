/** A person, by what is stored of them. A record with one of the two is theirs. Null: not given. */
export type Person = { readonly document: string | null; readonly email: string | null };

/** Reads who is meant. Cashouts hold digits alone, and orders are compared without these marks. Undefined: nobody is named. */
export function personOf({ document, email }: { readonly document?: string; readonly email?: string }): Person | undefined {
  const person = { document: document?.replaceAll(/[\s.,/_-]/g, '') || null, email: email?.trim() || null };
  return person.document === null && person.email === null ? undefined : person;
}
