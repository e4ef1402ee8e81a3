import { CONTRACT_DIALECT, FAMILY_DIALECT, type Dialect } from '../requests/index.ts';
import { wholeNumber, type Settings } from './settings.ts';

/** Reads the dialect. One setting decides all of it; each of the others overrules one line. */
export function takeDialect({ take, oneOf, isYes }: Settings): Dialect {
  const usual = oneOf('CAUDAL_DIALECT', 'contract', ['contract', 'family'] as const) === 'family' ? FAMILY_DIALECT : CONTRACT_DIALECT;
  const FORMS = ['contract', 'family'] as const;
  return {
    servicePrefixes: take(
      'CAUDAL_SERVICE_PREFIX',
      usual.servicePrefixes,
      'two capital letters, or several such pairs with commas',
      readPrefixes,
    ),
    checkoutAddress: oneOf('CAUDAL_CHECKOUT_ADDRESS', usual.checkoutAddress, ['absolute', 'without-scheme'] as const),
    hasCheckoutAtRoot: isYes('CAUDAL_CHECKOUT_AT_ROOT', usual.hasCheckoutAtRoot),
    listedDateForm: oneOf('CAUDAL_LISTED_DATE_FORM', usual.listedDateForm, ['YYYYMMDD', 'DDMMYYYY'] as const),
    passwordDigits: take('CAUDAL_PASSWORD_DIGITS', usual.passwordDigits, 'a number of digits, 4 to 12', wholeNumber(4, 12)),
    cashoutExpire: oneOf('CAUDAL_CASHOUT_EXPIRE', usual.cashoutExpire, ['last-day', 'day-after'] as const),
    cashoutAnswers: oneOf('CAUDAL_CASHOUT_ANSWERS', usual.cashoutAnswers, FORMS),
    amountDecimals: oneOf('CAUDAL_AMOUNT_DECIMALS', usual.amountDecimals, ['exact', 'rounded'] as const),
    servesShopPlugin: isYes('CAUDAL_SHOP_PLUGIN', usual.servesShopPlugin),
    allowsEmptyEmails: isYes('CAUDAL_EMPTY_EMAILS', usual.allowsEmptyEmails),
    expirationAllowanceDays: take('CAUDAL_EXPIRATION_ALLOWANCE_DAYS', usual.expirationAllowanceDays, 'a number of days, 0 to 30', (text) =>
      sameForBoth(wholeNumber(0, 30)(text)),
    ),
    noticeBodies: oneOf('CAUDAL_NOTICE_BODIES', usual.noticeBodies, FORMS),
  };
}

const sameForBoth = (days: number | undefined): Dialect['expirationAllowanceDays'] | undefined =>
  days === undefined ? undefined : { onCreate: days, onUpdate: days };

function readPrefixes(text: string): readonly string[] | undefined {
  const prefixes = text.split(',').map((prefix) => prefix.trim());
  const isList = prefixes.every((prefix) => /^[A-Z]{2}$/.test(prefix)) && new Set(prefixes).size === prefixes.length;
  return isList ? prefixes : undefined;
}
