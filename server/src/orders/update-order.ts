import type { Acted } from '../kit/changes/act.ts';
import { withClaim } from '../kit/changes/retry.ts';
import { changeOfOrders, type OrdersAndReferences } from './change-orders.ts';
import type { Claim } from './references/open-references.ts';
import { decideUpdate, type DecidedOrder, type Refused, type UpdateOrder, type UpdateRefusal } from './order.ts';

type ClaimingUpdate = UpdateOrder & { readonly claim?: Claim | undefined };

/**
 * Updates a pending order.
 * Shape: UpdateOrder → the order as it is then; amount in minor units, expiresOn a day in the merchant's zone. Requests that come
 * together are decided together, in the order of their arrival.
 * Refuses: country_not_allowed, order_not_open, version_mismatch, id_ambiguous, currency_not_allowed, recurrent_not_allowed,
 * expiration_out_of_range, reference_taken, terms_repeated — the first that applies.
 * Effects: locks the order until commit; records order.updated; moves to the new reference; the former one rests. Equal values write nothing.
 * With `isReported` a change writes a notice.
 * Source: contract §3.1.
 */
export function updateOrders({
  engine,
  ...terms
}: OrdersAndReferences): (command: UpdateOrder & Acted) => Promise<DecidedOrder | Refused<UpdateRefusal>> {
  const update = engine.batched(changeOfOrders<ClaimingUpdate, UpdateRefusal>(decideUpdate, terms));
  const { claims } = terms;
  if (claims === undefined) return update;
  return (command) => {
    const { reference } = command.given;
    if (reference === undefined) return update(command);
    return withClaim(
      () => claims.claim(reference, command.merchantId),
      (claim) => update({ ...command, claim }),
    );
  };
}
