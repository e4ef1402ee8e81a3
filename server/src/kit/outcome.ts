/** What can be wrong with one field of a request. */
export type FieldRule = 'required' | 'type' | 'length' | 'shape' | 'range' | 'unknown' | 'repeated' | 'frozen';

/** What a refusal's text can name: the field, the rule it broke, and the rule's limit. */
export type RefusalDetail = {
  readonly field?: string;
  readonly rule?: FieldRule;
  readonly limit?: number;
};

/** An expected refusal, as a value; an operation declares each of its names. */
export type Refusal<Name extends string = string> = RefusalDetail & { readonly refusal: Name };

/** Makes a refusal. Shape: its name, and the field it is about where there is one. */
export function refuse<Name extends string>(name: Name, detail?: RefusalDetail): Refusal<Name> {
  return { refusal: name, ...detail };
}

/** True for a refusal. Outcomes of other kinds have no member `refusal`. */
export function isRefusal<Outcome>(outcome: Outcome): outcome is Extract<Outcome, Refusal> {
  return typeof outcome === 'object' && outcome !== null && 'refusal' in outcome;
}

/** The database cannot serve now. The caller answers 503 with Retry-After. Whether anything was written is unknown. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
