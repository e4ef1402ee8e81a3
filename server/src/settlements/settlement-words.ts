import type { Language } from '../kit/language.ts';
import type { Settlement } from './settlement-columns.ts';
import type { SettlementLine } from './terms/deductions.ts';

type Words = {
  readonly states: Readonly<Record<Settlement['state'], string>>;
  readonly lineKinds: Readonly<Record<SettlementLine['kind'], string>>;
};

/** What people call the states of a settlement and what is taken off: on statements and in the console. */
export const SETTLEMENT_WORDS: Readonly<Record<Language, Words>> = {
  es: {
    states: {
      draft: 'Borrador',
      approved: 'Aprobada',
      sent: 'Enviada al banco',
      paid: 'Pagada',
      returned: 'Devuelta',
      cancelled: 'Cancelada',
    },
    lineKinds: { fee: 'Comisión', withholding: 'Retención', transfer_tax: 'Impuesto a los movimientos financieros', reserve: 'Reserva' },
  },
  en: {
    states: {
      draft: 'Draft',
      approved: 'Approved',
      sent: 'Sent to the bank',
      paid: 'Paid',
      returned: 'Returned',
      cancelled: 'Cancelled',
    },
    lineKinds: { fee: 'Fee', withholding: 'Withholding', transfer_tax: 'Transfer tax', reserve: 'Reserve' },
  },
  pt: {
    states: {
      draft: 'Rascunho',
      approved: 'Aprovada',
      sent: 'Enviada ao banco',
      paid: 'Paga',
      returned: 'Devolvida',
      cancelled: 'Cancelada',
    },
    lineKinds: { fee: 'Tarifa', withholding: 'Retenção', transfer_tax: 'Imposto sobre movimentações financeiras', reserve: 'Reserva' },
  },
};
