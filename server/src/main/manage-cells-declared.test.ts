import { expect, test } from 'vitest';
import { managementOperations } from './manage.ts';

// In a service of several cells an operation is carried out where what it is about is. None may forget to say where that is.

/** Whether a request always names a merchant: in its path or, needed, in its body. */
const namesMerchant = ({ path, body }: (typeof managementOperations)[number]): boolean =>
  [path, body].some((part) => ((part?.required as readonly string[] | undefined) ?? []).includes('merchant'));

test('each operation names a merchant always, or declares the cells that it is carried out in', () => {
  const forgetful = managementOperations.filter((operation) => operation.cells === undefined && !namesMerchant(operation));
  expect(
    forgetful.map(({ name }) => name),
    'say by `cells` whether home, another cell or all of them carry it out',
  ).toEqual([]);
});

test('an operation that names a merchant always is carried out in the cell of that merchant', () => {
  const elsewhere = managementOperations.filter((operation) => operation.cells !== undefined && namesMerchant(operation));
  // They take the id of a merchant that is not there yet for a cell.
  expect(elsewhere.map(({ name }) => name)).toEqual(['createMerchant', 'placeMerchant']);
});
