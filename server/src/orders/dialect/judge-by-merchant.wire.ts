import { hasNoMoreDecimals } from '../../kit/money.ts';
import { openAmountIn, type Merchant } from '../../merchants/index.ts';
import type { Dialect, ParseContext, RefuseField } from '../../requests/index.ts';

type Sent = { readonly [Name in 'email' | 'country' | 'order' | 'money' | 'amount']: string | undefined };

/** True for an amount that is left to the payer: `0`, `0.00`. */
export const isOpenAmount = (amount: string | undefined): boolean => amount !== undefined && /^0(?:\.0{1,4})?$/.test(amount);

/**
 * Judges an empty e-mail address, an open amount, and zeros beyond the decimals of a currency: the merchant decides, so it is proved first. Other requests wait for nothing.
 * Shape: who is not proved learns nothing of a merchant.
 * Refuses: content_invalid, amount_invalid.
 * Source: contract §3.1, §3.2.
 */
export function judgeByMerchant(
  sent: Sent,
  refuse: RefuseField<'content_invalid' | 'amount_invalid'>,
  { prove }: Pick<ParseContext<unknown, Merchant>, 'prove'>,
  { allowsEmptyEmails }: Pick<Dialect, 'allowsEmptyEmails'>,
): void | Promise<void> {
  const { email, amount, money } = sent;
  const hasMore = amount !== undefined && money !== undefined && !hasNoMoreDecimals(amount, money);
  if (email !== '' && !isOpenAmount(amount) && !hasMore) return undefined;
  const judge = (merchant: Merchant | undefined): void => {
    if (email === '' && !(merchant?.emptyEmails ?? allowsEmptyEmails)) refuse('content_invalid', 'email');
    const isAllowed = merchant !== undefined && money !== undefined && openAmountIn(merchant, money) !== undefined;
    if ((isOpenAmount(amount) && !isAllowed) || (hasMore && merchant?.strictAmounts === true)) refuse('amount_invalid', 'amount');
  };
  const proved = prove(provedTexts(sent));
  return proved instanceof Promise ? proved.then(judge) : judge(proved);
}

/** The values that the checksum of a creation and of an update covers. */
const provedTexts = ({ email = '', country = '', order = '', money = '', amount = '' }: Sent): readonly string[] => [
  email,
  country,
  order,
  money,
  amount,
];
