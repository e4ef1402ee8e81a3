import { expect, test } from 'vitest';
import { END_USER_FIELDS } from '../cashouts/index.ts';
import { FIELDS_OF_PEOPLE, showsManyPeople } from '../manage/shows-people.ts';
import { PAYER_FIELDS } from '../orders/index.ts';
import { managementOperations } from './manage.ts';

test('the fields of people in answers are those that their rooms erase', () => {
  // What a merchant wrote about an order or a cashout may name a person, and its lists do not show it.
  const erased = new Set<string>([...PAYER_FIELDS, ...END_USER_FIELDS]).difference(new Set(['description']));
  expect(FIELDS_OF_PEOPLE).toEqual(erased);
});

test('the operations that show many people', () => {
  expect(
    managementOperations
      .filter(showsManyPeople)
      .map(({ name }) => name)
      .toSorted(),
  ).toMatchInlineSnapshot(`
    [
      "downloadExport",
      "exportPerson",
      "listCashoutsByFilter",
      "listChain",
      "listOrders",
      "listUsers",
      "readSettlementFile",
      "search",
    ]
  `);
});
