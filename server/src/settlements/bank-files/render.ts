import { dayOf } from '../../kit/calendar.ts';
import { currencyExponent } from '../../kit/money.ts';
import { ACCOUNT_TYPES } from '../terms/choices.ts';
import { renderDescribedCsv } from './described-csv.ts';
import { faultsOfLayout, type Layout, type LayoutFault, type LayoutField } from './layout.ts';
import { renderPain001 } from './pain-001.ts';
import type { BankAccount } from '../terms/schedule.ts';
import type { BankOrder, BankPayment, UnfitValue } from './bank-payment.ts';

/** Writes the file of a layout. Refuses: every value that it cannot hold as it is. */
export const renderFile = ({ csv }: Layout, order: BankOrder): Buffer | readonly UnfitValue[] =>
  csv === undefined ? renderPain001(order) : renderDescribedCsv(csv, order);

const SAMPLE: Omit<BankAccount, 'holderDocumentType' | 'type' | 'bankCode'> = {
  bankName: 'Banco Davivienda',
  number: '0047001234',
  holderName: 'Panadería Ñandú, Peña & Hijos S. A. S.',
  holderDocument: '900123456',
};
const SAMPLE_MINOR = 123_456_789n;
/** So many payments show what a file looks like. */
const SHOWN = 2;

/** The values of a field that a layout has codes for; without codes it takes any. */
const codedIn = ({ csv }: Layout, field: LayoutField): readonly string[] => [
  ...new Set(csv?.columns.flatMap((column) => (column.field === field ? Object.keys(column.codes ?? {}) : []))),
];

const take = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** Made-up payments in a currency of the layout. Every kind of account and of document, and every bank, that it has a code for is in one of them. */
function madeUpPayments(layout: Layout): readonly BankPayment[] {
  const of = (field: LayoutField, ...others: readonly string[]): readonly string[] => {
    const coded = codedIn(layout, field);
    return coded.length > 0 ? coded : others;
  };
  const currency = codedIn(layout, 'currency').find((code) => currencyExponent(code) !== undefined) ?? 'COP';
  const coded = of('accountType', ...ACCOUNT_TYPES);
  const types = ACCOUNT_TYPES.filter((type) => coded.includes(type));
  const [banks, documents] = [of('bankCode', '051'), of('holderDocumentType', 'NIT')];
  return Array.from({ length: Math.max(types.length, banks.length, documents.length) }, (_, index) => ({
    settlementId: String(index + 1),
    merchantId: 'demo',
    amountMinor: SAMPLE_MINOR,
    currency,
    account: { ...SAMPLE, type: take(types, index), bankCode: take(banks, index), holderDocumentType: take(documents, index) },
  }));
}

/**
 * Tries a layout with made-up payments.
 * Shape: what a file with the first two looks like, or all that is wrong in the layout.
 */
export function tryLayout(layout: Layout, at: Temporal.Instant): { readonly sample: string } | { readonly faults: readonly LayoutFault[] } {
  const faults = faultsOfLayout(layout);
  if (faults.length > 0) return { faults };
  const payments = madeUpPayments(layout);
  const payOn = dayOf(at, layout.timeZone);
  const { currency } = payments[0] as BankPayment;
  const render = (of: readonly BankPayment[]) =>
    renderFile(layout, { fileId: 'SAMPLE', at, payOn, currency, payer: layout.payer, payments: of });
  const tried = render(payments);
  if (!Buffer.isBuffer(tried)) return { faults: uniqueFaults(tried) };
  const shown = render(payments.slice(0, SHOWN)) as Buffer;
  return { sample: new TextDecoder(layout.csv?.encoding ?? 'utf-8', { ignoreBOM: true }).decode(shown) };
}

/** The payments have most faults alike. */
const uniqueFaults = (unfit: readonly UnfitValue[]): readonly LayoutFault[] =>
  [...new Set(unfit.map(({ settlementId, field, fault }) => `${settlementId === null ? 'payer ' : ''}${field} ${fault}`))].map((what) => ({
    pointer: '',
    detail: `a trial with made-up payments fails: ${what}`,
  }));
