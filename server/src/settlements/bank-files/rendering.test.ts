import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { splitCsv } from '../../kit/files/csv.ts';
import * as fc from '../../testing/fast-check.ts';
import type { BankAccount } from '../terms/schedule.ts';
import type { BankOrder, BankPayment, UnfitValue } from './bank-payment.ts';
import { isBasicId } from './bank-text.ts';
import { renderDescribedCsv } from './described-csv.ts';
import { faultsOfLayout, LAYOUT_FIELDS, type CsvLayout, type Layout, type LayoutColumn } from './layout.ts';
import { renderPain001 } from './pain-001.ts';
import { tryLayout } from './render.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const SUBSET = readFileSync(new URL('pain-001.subset.xsd', import.meta.url), 'utf8');
/** The published schema: whoever has it says where. */
const PUBLISHED = process.env['CAUDAL_TEST_PAIN_SCHEMA'];
const SCHEMAS = [SUBSET, ...(PUBLISHED === undefined ? [] : [readFileSync(PUBLISHED, 'utf8')])];

const AT = Temporal.Instant.from('2026-11-28T23:00:00.123456Z');
const ACCOUNT: BankAccount = {
  bankCode: '051',
  bankName: 'Banco Davivienda',
  type: 'savings',
  number: '0047001234',
  holderName: 'Panadería Ñandú & Hijos',
  holderDocumentType: 'NIT',
  holderDocument: '900123456',
};
const payment = (given: Partial<BankPayment> = {}, account: Partial<BankAccount> = {}): BankPayment => ({
  settlementId: '12',
  merchantId: 'demo_1',
  amountMinor: 123_456_789n,
  currency: 'COP',
  ...given,
  account: { ...ACCOUNT, ...account },
});
const order = (payments: readonly BankPayment[], given: Partial<BankOrder> = {}): BankOrder => ({
  fileId: '20261128-1',
  at: AT,
  payOn: Temporal.PlainDate.from('2026-11-30'),
  currency: 'COP',
  payer: { ...ACCOUNT, bankCode: 'COLOCOBM', type: 'checking', holderName: 'Pagos del Valle' },
  payments,
  ...given,
});

function textOf(written: Buffer | readonly UnfitValue[]): string {
  if (!Buffer.isBuffer(written)) throw new Error(`a value does not fit: ${JSON.stringify(written)}`);
  return written.toString('utf8');
}

const COLUMNS: readonly LayoutColumn[] = [
  { name: 'Liquidación', field: 'settlement' },
  { name: 'Titular', field: 'holderName', width: 12 },
  { name: 'Tipo', field: 'accountType', codes: { savings: 'S', checking: 'D' } },
  { name: 'Cuenta', field: 'accountNumber', width: 12, pad: '0', padAt: 'start' },
  { name: 'Valor', field: 'amount' },
  { name: 'Fecha', field: 'payOn' },
  { name: 'Concepto', text: 'RECAUDO' },
];
const csvLayout = (given: Partial<CsvLayout> = {}): CsvLayout => ({
  encoding: 'utf-8',
  lineEnd: 'lf',
  separator: ';',
  quoting: 'needed',
  header: false,
  decimal: ',',
  days: 'YYYYMMDD',
  columns: [...COLUMNS],
  ...given,
});
const layout = (given: Partial<CsvLayout> = {}): Layout => ({
  format: 'csv',
  timeZone: 'America/Bogota',
  payer: { ...ACCOUNT },
  csv: csvLayout(given),
});

describe('a described CSV', () => {
  test('has the columns, widths, signs and days that its layout says', () => {
    const written = renderDescribedCsv(
      csvLayout({ header: true, lineEnd: 'crlf' }),
      order([payment(), payment({ settlementId: '13' }, { type: 'checking' })]),
    );
    expect(textOf(written)).toBe(
      'Liquidación;Titular;Tipo;Cuenta;Valor;Fecha;Concepto\r\n' +
        '12;Panadería Ña;S;000047001234;1234567,89;20261130;RECAUDO\r\n' +
        '13;Panadería Ña;D;000047001234;1234567,89;20261130;RECAUDO\r\n',
    );
  });

  test.each<[string, Partial<CsvLayout>, Partial<BankAccount>, string]>([
    ['minor units', { columns: [{ name: 'V', field: 'amountMinor', width: 12, pad: '0', padAt: 'start' }] }, {}, '000123456789'],
    ['quotes where they are needed', { columns: [{ name: 'T', field: 'holderName' }] }, { holderName: 'A;B "C"' }, '"A;B ""C"""'],
    ['quotes always', { quoting: 'always', columns: [{ name: 'T', field: 'settlement' }] }, {}, '"12"'],
    ['no quotes', { quoting: 'never', columns: [{ name: 'T', field: 'holderName' }] }, { holderName: 'A;B "C"' }, 'A B C'],
    [
      'no quotes, of full width either',
      { encoding: 'windows-1252', quoting: 'never', columns: [{ name: 'T', field: 'holderName' }] },
      { holderName: 'A；B＂' },
      'A B',
    ],
    ['a day', { days: 'DDMMYYYY', columns: [{ name: 'F', field: 'payOn' }] }, {}, '30112026'],
    ['a name cut without half a character', { columns: [{ name: 'T', field: 'holderName', width: 2 }] }, { holderName: '𝒜𝒷𝒸' }, '𝒜𝒷'],
    ['the payer', { columns: [{ name: 'P', field: 'payerAccountNumber' }] }, {}, '0047001234'],
  ])('writes %s', (_what, given, account, line) => {
    expect(textOf(renderDescribedCsv(csvLayout(given), order([payment({}, account)])))).toBe(`${line}\n`);
  });

  test.each([
    ['=HYPERLINK(A1)', 'HYPERLINK(A1)'],
    ['  +Sum(1)', 'Sum(1)'],
    ['@cmd', 'cmd'],
    ['＝1+1', '1+1'],
    ['-A\t=B\n', 'A =B'],
  ])('writes no name that a spreadsheet would run: %j', (holder, name) => {
    const described = csvLayout({ columns: [{ name: 'T', field: 'holderName' }] });
    expect(textOf(renderDescribedCsv(described, order([payment({}, { holderName: holder })])))).toBe(`${name}\n`);
  });

  test('in windows-1252 keeps its letters, rewrites others, and refuses a value that it lacks', () => {
    const described = csvLayout({ encoding: 'windows-1252', columns: [{ name: 'T', field: 'holderName' }] });
    const bytesOf = (holder: string): unknown => renderDescribedCsv(described, order([payment({}, { holderName: holder })]));
    expect(bytesOf('Peña “Íñigo” €')).toEqual(
      Buffer.from([0x50, 0x65, 0xf1, 0x61, 0x20, 0x93, 0xcd, 0xf1, 0x69, 0x67, 0x6f, 0x94, 0x20, 0x80, 0x0a]),
    );
    // The letter and its mark apart, a letter without a mark, one with a mark that is not there, and what has no other form.
    expect(bytesOf('n\u0303 Łódź 漢')).toEqual(Buffer.from([...Buffer.from('ñ Lódz ?\n', 'latin1')]));
    expect(
      renderDescribedCsv(
        csvLayout({ encoding: 'windows-1252', columns: [{ name: 'C', field: 'accountNumber' }] }),
        order([payment({}, { number: '１２' })]),
      ),
    ).toEqual([{ settlementId: '12', field: 'accountNumber', fault: 'has_other_characters' }]);
  });

  test.each<[Partial<LayoutColumn>, Partial<BankAccount>, string, Partial<CsvLayout>?]>([
    [{ field: 'accountNumber', width: 5 }, {}, 'too_long'],
    [{ field: 'accountNumber' }, { number: '' }, 'empty'],
    [{ field: 'holderName' }, { holderName: '=-+' }, 'empty'],
    [{ field: 'accountNumber' }, { number: '=1+1' }, 'is_formula'],
    [{ field: 'accountNumber' }, { number: '1\n2' }, 'has_other_characters'],
    [{ field: 'accountNumber' }, { number: '1;2' }, 'has_separator', { quoting: 'never' }],
    [{ field: 'holderDocumentType', codes: { NIT: 'N' } }, { holderDocumentType: 'CC' }, 'has_no_code'],
    [{ field: 'holderDocumentType', codes: { NIT: 'N' } }, { holderDocumentType: 'constructor' }, 'has_no_code'],
  ])('refuses a value that it would have to change: %j of %j', (column, account, fault, given = {}) => {
    const described = csvLayout({ ...given, columns: [{ name: 'X', ...column }] });
    const refused = renderDescribedCsv(described, order([payment({}, account)]));
    expect(refused).toEqual([{ settlementId: '12', field: column.field, fault }]);
  });

  test('reads back as it was written, whatever the names are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('needed', 'always', 'never'),
        fc.constantFrom(',', ';', '\t', '|'),
        (holder, quoting, separator) => {
          const described = csvLayout({
            quoting,
            separator,
            decimal: separator === ',' ? '.' : ',',
            encoding: 'windows-1252',
          });
          const written = renderDescribedCsv(described, order([payment({}, { holderName: `X${holder}` })]));
          const lines = new TextDecoder('windows-1252').decode(written as Buffer).split('\n');
          expect(lines).toHaveLength(2);
          const cells = quoting === 'never' ? (lines[0] as string).split(separator) : splitCsv(lines[0] as string, separator);
          expect(cells).toHaveLength(COLUMNS.length);
          expect(cells?.[1]).toMatch(/^[^\s=+@-]/);
          expect([cells?.[0], ...(cells?.slice(2) ?? [])]).toEqual([
            '12',
            'S',
            '000047001234',
            `1234567${described.decimal}89`,
            '20261130',
            'RECAUDO',
          ]);
        },
      ),
    );
  });
});

const fails = (what: string) => ({ faults: [{ pointer: '', detail: `a trial with made-up payments fails: ${what}` }] });

describe('a layout', () => {
  test('is tried with payments before it is kept', () => {
    expect(tryLayout(layout({ columns: COLUMNS.slice(0, 5) }), AT)).toEqual({
      sample: '1;Panadería Ña;S;000047001234;1234567,89\n2;Panadería Ña;D;000047001234;1234567,89\n',
    });
    expect(tryLayout({ ...layout(), format: 'pain.001.001.09', csv: undefined } as unknown as Layout, AT)).toMatchObject({
      sample: expect.stringContaining('<EndToEndId>2</EndToEndId>') as string,
    });
    const narrow = layout({ columns: [...COLUMNS.slice(0, 4), { name: 'Valor', field: 'amount', width: 4 }] });
    expect(tryLayout(narrow, AT)).toEqual({ faults: [{ pointer: '', detail: 'a trial with made-up payments fails: amount too_long' }] });
  });

  const columnsAnd = (...more: readonly LayoutColumn[]) => tryLayout(layout({ columns: [...COLUMNS, ...more] }), AT);
  test.each<[string, readonly LayoutColumn[], string]>([
    [
      'kind of document',
      [
        { name: 'A', field: 'holderDocumentType', codes: { CC: '1', NIT: '3' } },
        { name: 'B', field: 'holderDocumentType', width: 2 },
      ],
      'holderDocumentType too_long',
    ],
    [
      'kind of account',
      [{ name: 'A', field: 'accountType', codes: { savings: 'S', checking: 'D', deposit: 'E' } }],
      'accountType has_no_code',
    ],
    [
      'bank',
      [
        { name: 'A', field: 'bankCode', codes: { '1007': '7', '1051': '51' } },
        { name: 'B', field: 'bankCode', codes: { '1007': '7' } },
      ],
      'bankCode has_no_code',
    ],
  ])('is tried with every %s that it has a code for', (_what, more, fault) => expect(columnsAnd(...more)).toEqual(fails(fault)));

  test('may have codes for some banks and some currencies alone', () => {
    const bank = { name: 'Banco', field: 'bankCode', codes: { '1007': '07' } } as const;
    const currency = { name: 'Moneda', field: 'currency', codes: { USD: '840', EURO: '978' } } as const;
    expect(columnsAnd(bank, currency)).toMatchObject({ sample: expect.stringMatching(/^1;.*;07;840\n2;.*;07;840\n$/) as string });
  });

  test('of the documents can be used as it is', () => {
    const text = readFileSync(join(ROOT, 'docs', 'operations', 'bank-files.md'), 'utf8');
    const [, document = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
    expect(tryLayout(JSON.parse(document) as Layout, AT)).toMatchObject({
      sample: expect.stringMatching(/^Referencia;.*\r\n000000000001;3;900123456;/) as string,
    });
  });

  const columns = (...more: readonly LayoutColumn[]): Partial<CsvLayout> => ({ columns: [...COLUMNS, ...more] });
  test.each<[string, Partial<CsvLayout>, string]>([
    ['/csv/columns/7', columns({ name: 'X' }), 'must hold either a field or a text'],
    ['/csv/columns/7', columns({ name: 'X', field: 'holderName', text: 'y' }), 'must hold either a field or a text'],
    ['/csv/columns/7/name', columns({ name: 'Valor', text: 'y' }), 'must not be there twice'],
    ['/csv/columns/7/text', columns({ name: 'X', text: '=1' }), 'starts as a formula does'],
    ['/csv/columns/7/name', columns({ name: '@X', text: '1' }), 'starts as a formula does'],
    [
      '/csv/columns/7/codes',
      columns({ name: 'X', field: 'accountType', codes: { savings: 'S' } }),
      'must have a code for savings and for checking',
    ],
    ['/csv/columns/7/codes', columns({ name: 'X', text: 'y', codes: {} }), 'is for a field alone'],
    ['/csv/columns/7', columns({ name: 'X', field: 'holderName', padAt: 'end' }), 'needs a width'],
    [
      '/csv/columns/7/pad',
      columns({ name: 'X', field: 'amountMinor', width: 12, pad: '0' }),
      'would change the value: digits stand before it at most, and there only zeros',
    ],
    [
      '/csv/columns/7/pad',
      columns({ name: 'X', field: 'amountMinor', width: 12, pad: '1', padAt: 'start' }),
      'would change the value: digits stand before it at most, and there only zeros',
    ],
    ['/csv/columns/7/text', columns({ name: 'X', text: 'yes', width: 2 }), 'is longer than the width'],
    [
      '/csv/columns/7/codes',
      columns({ name: 'X', field: 'holderDocumentType', codes: { NIT: 'yes' }, width: 2 }),
      'is longer than the width',
    ],
    ['/csv/columns/7/text', { ...columns({ name: 'X', text: '漢' }), encoding: 'windows-1252' }, 'has a character that the encoding lacks'],
    [
      '/csv/columns/7/text',
      { ...columns({ name: 'X', text: 'a;b' }), quoting: 'never' },
      'has the separator or a quote in it, and nothing is quoted',
    ],
    [
      '/csv/decimal',
      { quoting: 'never', separator: ',', decimal: ',' },
      'cannot be the decimal sign: it separates columns, and nothing is quoted',
    ],
    ['/csv/columns', { columns: COLUMNS.slice(1) }, 'must hold the settlement in one of its columns: the answer of the bank names it'],
    ['/csv/columns', { columns: COLUMNS.filter(({ field }) => field !== 'amount') }, 'must hold the amount in one of its columns'],
    [
      '/csv/columns',
      { columns: COLUMNS.filter(({ field }) => field !== 'accountNumber') },
      'must hold the number of the account in one of its columns',
    ],
  ])('is refused by name at %s', (pointer, given, detail) => {
    expect(faultsOfLayout(layout(given))).toEqual([{ pointer, detail }]);
    expect(tryLayout(layout(given), AT)).toEqual({ faults: [{ pointer, detail }] });
  });

  test('is refused for an unknown zone, and for columns without CSV or CSV without columns', () => {
    expect(faultsOfLayout({ ...layout(), timeZone: 'Bogota' })).toEqual([{ pointer: '/timeZone', detail: 'is not a time zone' }]);
    const detail = 'belongs to a layout of csv, which needs it';
    expect(faultsOfLayout({ ...layout(), format: 'pain.001.001.09' })).toEqual([{ pointer: '/csv', detail }]);
    const { csv: _csv, ...rest } = layout();
    expect(faultsOfLayout(rest)).toEqual([{ pointer: '/csv', detail }]);
  });

  test('can have a column of each value of a payment', () => {
    const all = LAYOUT_FIELDS.map((field) => ({ name: field, field }));
    const written = renderDescribedCsv(csvLayout({ columns: all }), order([payment()]));
    expect(textOf(written).trim().split(';')).toHaveLength(LAYOUT_FIELDS.length);
  });
});

const messageOf = (given: BankOrder): string => {
  const written = renderPain001(given);
  return textOf(written);
};
const valueOf = (message: string, name: string): string[] =>
  [...message.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</`, 'g'))].map(([, value]) => value as string);
async function expectValid(message: string): Promise<void> {
  for (const schema of SCHEMAS) {
    const { valid, errors } = await validateXML({ xml: [{ fileName: 'message.xml', contents: message }], schema: [schema] });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  }
}
const nameOf = (holder: string): string | undefined => valueOf(messageOf(order([payment({}, { holderName: holder })])), 'Nm').at(-1);

describe('a message of ISO 20022', () => {
  test('is valid, and has the sums and counts of its payments', async () => {
    const payments = [
      payment({ amountMinor: 1n }),
      payment(
        { settlementId: '13', amountMinor: 999_999_999_999_999n },
        { type: 'checking', holderDocumentType: 'CC', bankCode: 'BRASBRRJXXX' },
      ),
      payment(
        { settlementId: '14' },
        { holderName: 'ñ'.repeat(200), number: '1'.repeat(34), bankCode: '1'.repeat(35), holderDocument: 'X'.repeat(35) },
      ),
    ];
    const message = messageOf(order(payments));
    expect(valueOf(message, 'NbOfTxs')).toEqual(['3', '3']);
    expect(valueOf(message, 'CtrlSum')).toEqual(['10000001234567.89', '10000001234567.89']);
    expect(valueOf(message, 'InstdAmt')).toEqual(['0.01', '9999999999999.99', '1234567.89']);
    expect(valueOf(message, 'EndToEndId')).toEqual(['12', '13', '14']);
    expect([valueOf(message, 'MsgId'), valueOf(message, 'PmtInfId')]).toEqual([['20261128-1'], ['20261128-1']]);
    expect(valueOf(message, 'Nm').at(-1)).toBe('n'.repeat(140));
    await expectValid(message);
  });

  test('is valid in currencies without decimals and with three', async () => {
    for (const [currency, sum] of [
      ['CLP', '123456789'],
      ['BHD', '123456.789'],
    ] as const) {
      const message = messageOf(order([payment({ currency })], { currency }));
      expect(valueOf(message, 'CtrlSum')[0]).toBe(sum);
      await expectValid(message);
    }
  });

  test('refuses no letter: names are written in the basic set', () => {
    expect(nameOf('Peña & Núñez “Ćwikła”')).toBe("Pena + Nunez 'Cwikla'");
    expect(nameOf('  =/Straße <b>\n漢字 ')).toBe('Strasse ?b? ??');
  });

  test('is valid whatever the names are', async () => {
    const drawn = fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), 200);
    const payments = drawn.map((name, index) =>
      payment({ settlementId: String(index + 1), merchantId: `m${name.length}` }, { holderName: `X${name}`, bankName: `${name}X1` }),
    );
    await expectValid(messageOf(order(payments)));
  });

  test.each<[string, Partial<BankPayment>, Partial<BankAccount>, string]>([
    ['number', {}, { number: '1'.repeat(35) }, 'too_long'],
    ['number', {}, { number: '12_3' }, 'has_other_characters'],
    ['number', {}, { number: '<b>' }, 'has_other_characters'],
    ['holderDocument', {}, { holderDocument: '' }, 'empty'],
    ['bankCode', {}, { bankCode: '1'.repeat(36) }, 'too_long'],
    ['holderName', {}, { holderName: '+++' }, 'empty'],
    ['amount', { amountMinor: 10n ** 18n }, {}, 'too_long'],
  ])('refuses a value that it would have to change: %s', (field, given, account, fault) => {
    const refused = renderPain001(order([payment(), payment({ settlementId: '13', ...given }, account)]));
    expect(refused).toContainEqual({ settlementId: '13', field, fault });
  });

  test('refuses an id of the file that no message has, and names values of the payer as no settlement’s', () => {
    expect(renderPain001(order([payment()], { fileId: 'a/' }))).toEqual([
      { settlementId: null, field: 'file', fault: 'has_other_characters' },
    ]);
    expect(renderPain001(order([payment()], { payer: { ...ACCOUNT, number: '' } }))).toEqual([
      { settlementId: null, field: 'number', fault: 'empty' },
    ]);
  });

  test('takes ids that the standard takes', () => {
    for (const id of ['1', 'A-1', 'a/b', "x'(y)"]) expect(isBasicId(id), id).toBe(true);
    for (const id of ['', '/a', 'a/', 'a//b', 'a_b', 'ñ', ' a', '-a', 'a\n']) expect(isBasicId(id), id).toBe(false);
  });
});
