/**
 * The active currencies and funds of ISO 4217, list one, by their number of decimals. Our own table, because
 * `Intl` knows what is printed in shops and not the standard: it gives COP no decimals. Left out are the codes
 * to which the standard gives no decimals at all: metals, XDR, XSU, XUA, XTS, XXX.
 */
const CODES_BY_EXPONENT = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
    CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR
    ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV
    MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD
    SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/** All currency codes that the service knows: three capital letters each. */
export const currencyCodes: readonly string[] = [...exponents.keys()].toSorted();

/** Gives the number of decimals of a currency's minor unit (COP 2, CLP 0), undefined where there is no such currency. */
export function currencyExponent(currency: string): number | undefined {
  return exponents.get(currency);
}
