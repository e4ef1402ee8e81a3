import { dayOf } from '../../kit/calendar.ts';
import { renderDescribedCsv } from './described-csv.ts';
import { faultsOfLayout, type Layout, type LayoutFault } from './layout.ts';
import { renderPain001 } from './pain-001.ts';
import type { BankAccount } from '../terms/schedule.ts';
import type { BankOrder, BankPayment, UnfitValue } from './bank-payment.ts';

/** Writes the file of a layout. Refuses: every value that it cannot hold as it is. */
export const renderFile = ({ csv }: Layout, order: BankOrder): Buffer | readonly UnfitValue[] =>
  csv === undefined ? renderPain001(order) : renderDescribedCsv(csv, order);

const SAMPLE: Omit<BankAccount, 'holderDocumentType' | 'type'> = {
  bankCode: '051',
  bankName: 'Banco Davivienda',
  number: '0047001234',
  holderName: 'Panadería Ñandú, Peña & Hijos S. A. S.',
  holderDocument: '900123456',
};
const SAMPLE_MINOR = 123_456_789n;

/**
 * Tries a layout with two made-up payments, in savings and checking accounts.
 * Shape: what its file looks like, or all that is wrong in the layout.
 */
export function tryLayout(layout: Layout, at: Temporal.Instant): { readonly sample: string } | { readonly faults: readonly LayoutFault[] } {
  const faults = faultsOfLayout(layout);
  if (faults.length > 0) return { faults };
  const codes = layout.csv?.columns.find(({ field, codes: ofColumn }) => field === 'holderDocumentType' && ofColumn !== undefined)?.codes;
  const [holderDocumentType = 'NIT'] = Object.keys(codes ?? {});
  const payments = (['savings', 'checking'] as const).map((type, index): BankPayment => ({
    settlementId: String(index + 1),
    merchantId: 'demo',
    amountMinor: SAMPLE_MINOR,
    currency: 'COP',
    account: { ...SAMPLE, type, holderDocumentType },
  }));
  const payOn = dayOf(at, layout.timeZone);
  const file = renderFile(layout, { fileId: 'SAMPLE', at, payOn, currency: 'COP', payer: layout.payer, payments });
  if (!Buffer.isBuffer(file)) return { faults: uniqueFaults(file) };
  return { sample: new TextDecoder(layout.csv?.encoding ?? 'utf-8', { ignoreBOM: true }).decode(file) };
}

/** Both payments have most faults alike. */
const uniqueFaults = (unfit: readonly UnfitValue[]): readonly LayoutFault[] =>
  [...new Set(unfit.map(({ settlementId, field, fault }) => `${settlementId === null ? 'payer ' : ''}${field} ${fault}`))].map((what) => ({
    pointer: '',
    detail: `a trial with made-up payments fails: ${what}`,
  }));
