import { describe, expect, test } from 'vitest';
import { isRefusal } from '../kit/outcome.ts';
import { ALL_PERMISSIONS, ALL_ROLES, ROLES, type Actor, type Role } from '../manage/index.ts';
import * as fc from '../testing/fast-check.ts';
import { actorOfToken, decideToken, type TokenRow } from './access-tokens.ts';
import { actorOf } from './user.ts';
import { commandActor } from '../manage/run-here.ts';

const MERCHANTS = ['own', 'other'];

/** All that an actor may, as one text each: a permission in a place, and to act for a merchant. */
function powersOf({ permissions, merchantId, actsForMerchant }: Actor): ReadonlySet<string> {
  const places = merchantId === undefined ? [...MERCHANTS, 'service'] : [merchantId];
  return new Set([
    ...places.flatMap((place) => [...permissions].map((permission) => `${permission} at ${place}`)),
    ...(actsForMerchant ? [`speaks for ${merchantId}`] : []),
  ]);
}

/** Who makes the first token, and whose all of them are. */
type Root = { readonly actor: Actor; readonly whose: Pick<TokenRow, 'userId' | 'role' | 'makerMerchantId' | 'state'> };

function userOf(role: Role): Root {
  const merchantId = ROLES[role].side === 'merchant' ? 'own' : null;
  const actor = actorOf({ userId: '7', email: 'ana@example.com', role, merchantId });
  return { actor, whose: { userId: '7', role, makerMerchantId: merchantId, state: 'active' } };
}

/** A token that an operator made at the command line. */
function operatorsToken(merchantId: string | null): Root {
  const whose = { userId: null, role: null, makerMerchantId: null, state: null };
  const terms = { name: 'First', permissions: ALL_PERMISSIONS, merchantId };
  const decided = decideToken(commandActor('test'), { ...terms, days: 1 });
  if (isRefusal(decided)) throw new Error(decided.refusal);
  return { actor: actorOfToken({ tokenId: '1', ...terms, ...decided, ...whose }) as Actor, whose };
}

const ROOTS: readonly (readonly [string, Root])[] = [
  ...ALL_ROLES.map((role) => [role, userOf(role)] as const),
  ['a token of the command line', operatorsToken(null)],
  ['a merchant’s token of the command line', operatorsToken('own')],
];

const anyTerms = fc.record({
  name: fc.constant('Child'),
  permissions: fc.subarray([...ALL_PERMISSIONS], { minLength: 1 }),
  merchantId: fc.constantFrom(null, ...MERCHANTS),
  days: fc.constant(1),
});

describe.each(ROOTS)('who is %s', (_name, { actor, whose }) => {
  test('gets no more by making a token, nor by the tokens that it makes: no permission, no merchant, no password', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.array(anyTerms, { minLength: 1, maxLength: 4 }), (asked) => {
        let maker = actor;
        for (const terms of asked) {
          // Mostly what may be given, so that long chains are made.
          const held = terms.permissions.filter((one) => maker.permissions.has(one));
          const wanted = held.length === 0 || terms.merchantId === 'other' ? terms : { ...terms, permissions: held };
          const decided = decideToken(maker, wanted);
          if (isRefusal(decided)) continue;
          made++;
          const { name, permissions, merchantId } = wanted;
          const child = actorOfToken({ tokenId: '1', name, permissions, merchantId, ...decided, ...whose });
          if (child === undefined) continue;
          const more = powersOf(child).difference(powersOf(maker));
          expect([...more]).toEqual([]);
          maker = child;
        }
      }),
    );
    expect(made).toBeGreaterThan(0);
  });
});
