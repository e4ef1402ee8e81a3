import type { Merchant } from '../../merchants/index.ts';
import type { ParseContext, RefuseField } from '../../requests/index.ts';
import { isAllDigits, isDocumentOf } from './documents.ts';

/** It makes nothing of what was sent. */
const JUDGED = {};

type Sent = { readonly [Name in string]?: unknown } & { readonly document?: string | undefined };

/**
 * Judges a document with letters: its merchant decides, so it is proved first. Other requests wait for nothing.
 * Shape: what was sent; the fields that the checksum covers, in its order. Who is not proved learns nothing of a merchant.
 * Refuses: parameter_invalid.
 * Source: contract §4.3.
 */
export function judgeDocument(
  sent: Sent,
  refuse: RefuseField<'parameter_invalid'>,
  { prove }: Pick<ParseContext<unknown, Merchant>, 'prove'>,
  proof: readonly string[],
): object | Promise<object> {
  const { document } = sent;
  if (!document || isAllDigits(document)) return JUDGED;
  const judge = (merchant: Merchant | undefined): object => {
    if (!isDocumentOf(document, merchant)) refuse('parameter_invalid', 'document');
    return JUDGED;
  };
  const proved = prove(proof.map((name) => (sent[name] ?? '') as string));
  return proved instanceof Promise ? proved.then(judge) : judge(proved);
}
