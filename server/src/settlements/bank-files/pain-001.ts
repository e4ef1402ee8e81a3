import { formatAllDecimals } from '../../kit/money.ts';
import { basicName, isBasicId } from './bank-text.ts';
import type { BankAccount } from '../terms/schedule.ts';
import { sumOf, type BankOrder, type BankPayment, type UnfitFault, type UnfitValue } from './bank-payment.ts';

// ISO 20022: CustomerCreditTransferInitiationV09. Lengths and the order of elements are those of its schema. Of its characters only the
// basic set is used, because that is what every bank takes.

export const PAIN_001 = 'pain.001.001.09';

const [MOST_NAME, MOST_ID, MOST_ACCOUNT, MOST_REMITTANCE] = [140, 35, 34, 140];
const MOST_AMOUNT_DIGITS = 18;

/** An element: its name, and its text or what is in it. */
type Element = readonly [name: string, content: string | readonly Element[], attribute?: string];

/** Codes of the external code set of account types, which has none for deposits of low value. */
const ACCOUNT_CODES: Readonly<Record<BankAccount['type'], Element>> = {
  savings: ['Cd', 'SVGS'],
  checking: ['Cd', 'CACC'],
  deposit: ['Prtry', 'DEPOSIT'],
};
/** The tax numbers of companies; of others it says that they are a person's. */
const COMPANY_DOCUMENTS: ReadonlySet<string> = new Set(['NIT', 'RUC', 'CNPJ']);
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/**
 * Writes a message.
 * Shape: bytes in UTF-8. The id of the file is MsgId and PmtInfId, that of a settlement is EndToEndId: the bank's answer names both.
 * Refuses: every value that the message cannot hold as it is. Names are written in the basic set and cut.
 */
export function renderPain001(order: BankOrder): Buffer | readonly UnfitValue[] {
  const unfit = [
    ...(isBasicId(order.fileId) && order.fileId.length <= MOST_ID ? [] : [unfitOf(null, 'file', order.fileId, MOST_ID)]),
    ...unfitIn(null, order.payer),
    ...order.payments.flatMap(unfitPayment),
    ...(digitsOf(sumOf(order.payments)) > MOST_AMOUNT_DIGITS ? [{ settlementId: null, field: 'amount', fault: 'too_long' } as const] : []),
  ];
  if (unfit.length > 0) return unfit;
  const document: Element = ['Document', [initiation(order)], ` xmlns="urn:iso:std:iso:20022:tech:xsd:${PAIN_001}"`];
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${write(document, '')}`);
}

/** Values are of the basic set, which has no sign of XML. */
function write([name, content, attribute = '']: Element, indent: string): string {
  if (typeof content === 'string') return `${indent}<${name}${attribute}>${content}</${name}>\n`;
  return `${indent}<${name}${attribute}>\n${content.map((one) => write(one, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

function initiation({ fileId, at, payOn, currency, payer, payments }: BankOrder): Element {
  const sums: readonly Element[] = [
    ['NbOfTxs', String(payments.length)],
    ['CtrlSum', formatAllDecimals(sumOf(payments), currency)],
  ];
  const header: Element = [
    'GrpHdr',
    [['MsgId', fileId], ['CreDtTm', at.toString({ smallestUnit: 'second' })], ...sums, ['InitgPty', partyOf(payer)]],
  ];
  const instruction: Element = [
    'PmtInf',
    [
      ['PmtInfId', fileId],
      ['PmtMtd', 'TRF'],
      ...sums,
      ['ReqdExctnDt', [['Dt', payOn.toString()]]],
      ['Dbtr', partyOf(payer)],
      ['DbtrAcct', accountOf(payer, currency)],
      ['DbtrAgt', bankOf(payer)],
      ...payments.map(transfer),
    ],
  ];
  return ['CstmrCdtTrfInitn', [header, instruction]];
}

const transfer = ({ settlementId, merchantId, amountMinor, currency, account }: BankPayment): Element => [
  'CdtTrfTxInf',
  [
    ['PmtId', [['EndToEndId', settlementId]]],
    ['Amt', [['InstdAmt', formatAllDecimals(amountMinor, currency), ` Ccy="${currency}"`]]],
    ['CdtrAgt', bankOf(account)],
    ['Cdtr', partyOf(account)],
    ['CdtrAcct', accountOf(account, currency)],
    ['RmtInf', [['Ustrd', basicName(`${settlementId} ${merchantId}`, MOST_REMITTANCE)]]],
  ],
];

function partyOf({ holderName, holderDocumentType, holderDocument }: BankAccount): readonly Element[] {
  const document: Element = [
    'Othr',
    [
      ['Id', holderDocument],
      ['SchmeNm', [['Prtry', holderDocumentType]]],
    ],
  ];
  return [
    ['Nm', basicName(holderName, MOST_NAME)],
    ['Id', [[COMPANY_DOCUMENTS.has(holderDocumentType) ? 'OrgId' : 'PrvtId', [document]]]],
  ];
}

const accountOf = ({ number, type }: BankAccount, currency: string): readonly Element[] => [
  ['Id', [['Othr', [['Id', number]]]]],
  ['Tp', [ACCOUNT_CODES[type]]],
  ['Ccy', currency],
];

const bankOf = ({ bankCode, bankName }: BankAccount): readonly Element[] => [
  [
    'FinInstnId',
    [BIC.test(bankCode) ? ['BICFI', bankCode] : ['ClrSysMmbId', [['MmbId', bankCode]]], ['Nm', basicName(bankName, MOST_NAME)]],
  ],
];

const digitsOf = (minor: bigint): number => minor.toString().length;

function unfitPayment({ settlementId, amountMinor, account }: BankPayment): readonly UnfitValue[] {
  return [
    ...(isBasicId(settlementId) && settlementId.length <= MOST_ID ? [] : [unfitOf(settlementId, 'settlement', settlementId, MOST_ID)]),
    ...(digitsOf(amountMinor) > MOST_AMOUNT_DIGITS ? [{ settlementId, field: 'amount', fault: 'too_long' } as const] : []),
    ...unfitIn(settlementId, account),
  ];
}

function unfitIn(settlementId: string | null, account: BankAccount): readonly UnfitValue[] {
  const exact = [
    ['bankCode', MOST_ID],
    ['number', MOST_ACCOUNT],
    ['holderDocumentType', MOST_ID],
    ['holderDocument', MOST_ID],
  ] as const;
  const named = (['holderName', 'bankName'] as const).filter((field) => basicName(account[field], MOST_NAME) === '');
  return [
    ...exact
      .filter(([field, most]) => !isBasicId(account[field]) || account[field].length > most)
      .map(([field, most]) => unfitOf(settlementId, field, account[field], most)),
    ...named.map((field): UnfitValue => ({ settlementId, field, fault: 'empty' })),
  ];
}

function unfitOf(settlementId: string | null, field: string, value: string, most: number): UnfitValue {
  const fault: UnfitFault = value === '' ? 'empty' : value.length > most ? 'too_long' : 'has_other_characters';
  return { settlementId, field, fault };
}
