import { canonicalDocument } from './canonical-document.ts';

/** A person, by what is stored of them. A record with one of the two is theirs. The document is in its canonical form. Null: not given. */
export type Person = { readonly document: string | null; readonly email: string | null };

/** Reads who is meant. Undefined: nobody is named. */
export function personOf({ document, email }: { readonly document?: string; readonly email?: string }): Person | undefined {
  const person = { document: (document && canonicalDocument(document)) || null, email: email?.trim() || null };
  return person.document === null && person.email === null ? undefined : person;
}
