/** To make a format takes milliseconds, and a list has an amount in each row. So each is made once. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: string, currency: string, decimals: number | undefined): Intl.NumberFormat {
  const name = `${locale} ${currency} ${decimals}`;
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...(decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
    });
  formats.set(name, format);
  return format;
}

/**
 * Writes an amount as people do: `$ 45.000` in es-CO, `R$ 1.234,50` in pt-BR.
 * Shape: an amount with all decimals of its currency, `45000.00` → exact text. A currency without a sign of its own has none here either.
 * Decimals that are all zero are left out where shops leave them out (COP, CLP). Intl formats the decimal text, without a float.
 */
export function writeAmount(amount: string, currency: string, locale: string): string {
  const [, decimals = ''] = amount.split('.');
  const inShops = formatOf(locale, currency, undefined).resolvedOptions().minimumFractionDigits ?? decimals.length;
  const shown = /^0*$/.test(decimals) ? Math.min(inShops, decimals.length) : decimals.length;
  return formatOf(locale, currency, shown)
    .formatToParts(amount as Intl.StringNumericLiteral)
    .filter(({ type, value }) => type !== 'currency' || value !== currency)
    .map(({ value }) => value)
    .join('')
    .trim();
}
