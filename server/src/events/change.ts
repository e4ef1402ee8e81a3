export const CHANGE_KINDS = ['order', 'cashout', 'merchant', 'network', 'notice', 'ledger', 'settlement'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One thing that changed. It names the thing and no value of it, so it holds no personal data. */
export type ChangeEvent = {
  readonly kind: ChangeKind;
  /** Null: it is of no merchant. */
  readonly merchantId: string | null;
  /** The merchant's id of the order or cashout, the network's name, the number of the notice or settlement, the ledger's transaction. */
  readonly id: string;
  /** 0 where the thing has none. */
  readonly version: number;
  /** Such as order.paid. */
  readonly event: string;
  /** Null: the state is as it was. */
  readonly state: string | null;
};

/** More changes than are named one by one. Who shows such things reads them again. */
export type ManyChanges = { readonly kind: ChangeKind; readonly merchantId: string | null; readonly count: number };

/** As the table holds it: arrays with an element for each change. */
export type ChangeRow = {
  readonly kind: ChangeKind | 'refused_payment';
  readonly merchantIds: readonly (string | null)[];
  readonly ids: readonly string[];
  readonly versions: readonly number[];
  readonly events: readonly string[];
  readonly states: readonly (string | null)[];
};

/** Between the parts of an id. No id of the service holds it. */
const ID_SEPARATOR = '\x1f';

/** A refused payment is a change of its order. Its own id also names the transaction. */
export function changesOf({ kind, merchantIds, ids, versions, events, states }: ChangeRow): readonly ChangeEvent[] {
  return ids.map((id, index) => ({
    kind: kind === 'refused_payment' ? 'order' : kind,
    merchantId: merchantIds[index] as string | null,
    id: kind === 'refused_payment' ? (id.split(ID_SEPARATOR)[0] as string) : id,
    version: versions[index] as number,
    event: events[index] as string,
    state: states[index] as string | null,
  }));
}
