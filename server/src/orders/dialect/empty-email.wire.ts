import type { Merchant } from '../../merchants/index.ts';
import type { Dialect, ParseContext, RefuseField } from '../../requests/index.ts';

type Sent = { readonly [Name in 'email' | 'country' | 'order' | 'money' | 'amount']: string | undefined };

/**
 * Judges an empty e-mail address: the merchant decides, so it is proved first. Other requests wait for nothing.
 * Shape: `texts` are the values that the checksum covers. Who is not proved learns nothing of a merchant.
 * Refuses: content_invalid.
 * Source: contract §3.1, §3.2.
 */
export function judgeEmptyEmail(
  { email }: Pick<Sent, 'email'>,
  refuse: RefuseField<'content_invalid'>,
  { prove }: Pick<ParseContext<unknown, Merchant>, 'prove'>,
  { allowsEmptyEmails }: Pick<Dialect, 'allowsEmptyEmails'>,
  texts: readonly string[],
): void | Promise<void> {
  if (email !== '') return undefined;
  const judge = (merchant: Merchant | undefined): void => {
    if (!(merchant?.emptyEmails ?? allowsEmptyEmails)) refuse('content_invalid', 'email');
  };
  const proved = prove(texts);
  return proved instanceof Promise ? proved.then(judge) : judge(proved);
}

/** The values that the checksum of a creation and of an update covers. */
export const provedTexts = ({ email = '', country = '', order = '', money = '', amount = '' }: Sent): readonly string[] => [
  email,
  country,
  order,
  money,
  amount,
];
