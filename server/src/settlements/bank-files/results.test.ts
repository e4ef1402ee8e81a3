import { describe, expect, test } from 'vitest';
import type { Settlement } from '../settlement-columns.ts';
import { judgeResults, readResults } from './results.ts';

const HEADER = 'settlement,result,reference,reason';
const csv = (...rows: string[]): string => [HEADER, ...rows].join('\n');

const AT = Temporal.Instant.from('2026-11-28T15:00:00Z');
const settled = (given: Partial<Settlement> = {}): Settlement => ({
  merchantId: 'demo',
  settlementId: 12n,
  currency: 'COP',
  state: 'sent',
  cutoffAt: AT,
  settledOn: Temporal.PlainDate.from('2026-11-28'),
  dueOn: null,
  entries: 1,
  grossMinor: 123_450n,
  netMinor: 123_450n,
  madeAt: AT,
  approvedAt: AT,
  sentAt: AT,
  fileId: null,
  paidAt: null,
  bankReference: null,
  returnedAt: null,
  problem: null,
  cancelledAt: null,
  ...given,
});
const PAID = { state: 'paid', paidAt: AT, bankReference: 'T-1' } as const;
const RETURNED = { state: 'returned', returnedAt: AT, problem: 'closed' } as const;
const judge = async (row: string, settlement?: Settlement, header = HEADER) => {
  const { results, faults } = await readResults(`${header}\n${row}`);
  expect(faults).toEqual([]);
  return judgeResults(results, new Map(settlement === undefined ? [] : [['12', settlement]]), AT);
};

describe('a file of results', () => {
  test('is read as a spreadsheet of any language writes it', async () => {
    const rows = [
      { line: 2, settlementId: '12', result: 'paid', reference: 'TRX-1', reason: null, amount: null },
      { line: 3, settlementId: '13', result: 'returned', reference: null, reason: 'Cuenta cerrada', amount: null },
    ];
    expect(await readResults(csv('12,paid,TRX-1,', '13,returned,,Cuenta cerrada'))).toEqual({ results: rows, faults: [] });
    const asSheet =
      '\uFEFFsettlement;result;reference;reason;;\r\n"=""12""";PAGADO;TRX-1;;;\r\n13;Devolvida;;Cuenta cerrada;;\r\n;;;;;\r\n';
    expect(await readResults(asSheet)).toEqual({ results: rows, faults: [] });
    const named = 'sep=;\nsettlement;result;reference;reason;amount\n12;pago;TRX-1;;1.234,50';
    expect((await readResults(named)).results).toEqual([{ ...rows[0], line: 3, amount: '1.234,50' }]);
  });

  test('has every fault named by its line', async () => {
    const { faults } = await readResults(
      csv(
        'x,paid,T,',
        '1,maybe,T,',
        '2,paid,,',
        '3,returned,,',
        `4,paid,${'x'.repeat(101)},`,
        '5,paid,T',
        '"6,paid,T,',
        '7,paid,T,',
        '7,paid,T,',
      ),
    );
    expect(faults.map(({ line, field }) => [line, field])).toEqual([
      [2, 'settlement'],
      [3, 'result'],
      [4, 'reference'],
      [5, 'reason'],
      [6, 'reference'],
      [7, undefined],
      [8, undefined],
      [10, 'settlement'],
    ]);
    expect(faults.at(-1)?.rule).toBe('7 is in line 9 too');
  });

  test.each([
    ['nothing', '', { line: 1, rule: 'the file has no rows' }],
    ['a header alone', HEADER, { line: 1, rule: 'the file has no rows' }],
    ['no column of results', 'settlement,reference\n1,x', { line: 1, field: 'result', rule: 'is missing' }],
    [
      'an unknown column',
      `${HEADER},colour\n`,
      { line: 1, field: 'colour', rule: expect.stringContaining('settlement, result') as string },
    ],
    ['a column twice', `${HEADER},reason\n`, { line: 1, field: 'reason', rule: 'is there twice' }],
  ])('with %s is refused', async (_what, content, fault) => {
    expect(await readResults(content)).toEqual({ results: [], faults: [fault] });
  });
});

describe('results', () => {
  test.each<[string, string, Settlement, boolean]>([
    ['12,paid,T-1,', 'sent', settled(), false],
    ['12,returned,,closed', 'sent', settled(), false],
    ['12,returned,,closed', 'paid', settled(PAID), false],
    ['12,paid,T-1,', 'paid', settled(PAID), true],
    ['12,returned,,closed', 'returned', settled(RETURNED), true],
    // The file of the payment comes again after the file of its return.
    ['12,paid,T-1,', 'paid, then returned', settled({ ...PAID, ...RETURNED }), true],
  ])('%s of a settlement that is %s', async (row, _is, settlement, isRepeated) => {
    expect(await judge(row, settlement)).toMatchObject({ judged: [{ isRepeated, settlement }], faults: [] });
  });

  test.each<[string, string, Settlement | undefined, string, RegExp]>([
    ['12,paid,T-1,', 'unknown', undefined, 'settlement', /12 does not exist/],
    ['12,paid,T-1,', 'approved', settled({ state: 'approved', sentAt: null }), 'result', /is approved: it is not with the bank/],
    ['12,returned,,closed', 'approved', settled({ state: 'approved', sentAt: null }), 'result', /is approved: it is not with the bank/],
    ['12,returned,,x', 'cancelled', settled({ state: 'cancelled' }), 'result', /is cancelled/],
    ['12,paid,T-2,', 'paid', settled(PAID), 'result', /was paid before, with the reference T-1/],
    ['12,paid,T-2,', 'returned', settled(RETURNED), 'result', /is returned/],
  ])('%s of a settlement that is %s is refused', async (row, _is, settlement, field, rule) => {
    expect(await judge(row, settlement)).toEqual({ judged: [], faults: [{ line: 2, field, rule: expect.stringMatching(rule) as string }] });
  });

  test.each([
    ['1234.50', undefined],
    ['"1.234,50"', undefined],
    ['1234.51', /is not that of 12, which is 1234.50 COP/],
    ['1.234', /write 1234.00/],
    ['x', /plain decimal/],
  ])('with the amount %s', async (amount, rule) => {
    const { faults } = await judge(`12,paid,T-1,,${amount}`, settled(), `${HEADER},amount`);
    expect(faults).toEqual(rule === undefined ? [] : [{ line: 2, field: 'amount', rule: expect.stringMatching(rule) as string }]);
  });
});
