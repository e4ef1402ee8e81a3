import { formatAmount } from '../../src/kit/money.ts';
import type { By } from './actors.ts';
import { endOf, merchantOf, type CellState, type Merchants, type ModelNotice, type Outcome } from './model.ts';

export type CashoutState = 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
type ModelEvent = { readonly event: string; readonly actor: string; readonly at: number; readonly request?: string };
export type ModelCashout = {
  readonly merchantId: string;
  readonly operationId: string;
  /** The refund that its end user collects with it. */
  readonly refundId: string | null;
  /** The service's own id. Null: the answer with it was lost. */
  readonly serviceId: string | null;
  readonly state: CashoutState;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly description: string;
  readonly expiresOn: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Every change; the number of changes is the version. */
  readonly history: readonly ModelEvent[];
  readonly fee: bigint;
  readonly tax: bigint;
  /** Null: the answer with it was lost. */
  readonly otp: string | null;
  readonly wrongTries: number;
  readonly resends: number;
  /** The ids of its renewals: each renews it once. */
  readonly renewals: readonly string[];
  /** The network that found it last. It holds the cashout until `heldUntil`. */
  readonly heldBy: string | null;
  readonly heldUntil: number;
  readonly payment: {
    readonly netname: string;
    readonly transaction: string;
    readonly teller: string;
    readonly paidAt: number;
    readonly reversedAt: number | null;
  } | null;
};

/** The cashouts of one document. A wrong password counts for all of them. */
export type CashoutCell = CellState & {
  readonly document: string;
  readonly cashouts: Readonly<Record<string, ModelCashout>>;
  /** Wrong passwords that each network tried with the document, since the first of them. */
  readonly tries: Readonly<Record<string, { readonly count: number; readonly since: number }>>;
};

export type OfCashout = { readonly merchantId: string; readonly operationId: string };
export type OfTransaction = { readonly netname: string; readonly transaction: string; readonly serviceId: string };
type Keyable = { readonly key?: string | undefined };
/** Undefined: the merchant itself, a network, or the operator at the command line. */
type Sent = { readonly by?: By | undefined };
export type CashoutCommand =
  | ({
      readonly do: 'register cashout';
      readonly amountMinor: bigint;
      readonly currency: string;
      readonly description: string;
      readonly expiresOn?: string | undefined;
      readonly document: string;
    } & OfCashout &
      Keyable &
      Sent)
  | ({ readonly do: 'cancel cashout'; readonly document: string } & OfCashout & Sent)
  | ({ readonly do: 'query cashout'; readonly document: string } & OfCashout & Sent)
  | ({ readonly do: 'renew password'; readonly document: string; readonly renewal: string | undefined } & OfCashout & Keyable & Sent)
  | { readonly do: 'look up cashout'; readonly netname: string; readonly document: string; readonly otp: string }
  | ({ readonly do: 'pay cashout'; readonly teller: string } & OfTransaction)
  | ({ readonly do: 'reverse cashout payment' } & OfTransaction)
  | ({ readonly do: 'nullify cashout' } & OfCashout & Sent);

export const HOLD_MS = 5 * 60_000;
export const REVERSAL_MS = 50_000;
export const MAX_WRONG_TRIES = 5;
export const MAX_WRONG_TRIES_OF_NETWORK = 10;
export const WINDOW_MS = 15 * 60_000;
export const MAX_RESENDS = 3;
export const STATES: Readonly<Record<CashoutState, string>> = {
  pending: 'PENDIENTE',
  approved: 'APROBADA',
  expired: 'VENCIDA',
  cancelled: 'CANCELADA',
  nullified: 'ANULADA',
};

export const nameOf = ({ merchantId, operationId }: OfCashout): string => `${merchantId}/${operationId}`;
export const zoneOf = (merchants: Merchants, cashout: OfCashout): string => merchantOf(merchants, cashout.merchantId).timeZone;
export const endsAt = (merchants: Merchants, cashout: ModelCashout): number => endOf(cashout.expiresOn, zoneOf(merchants, cashout));
export const isOpen = (merchants: Merchants, cashout: ModelCashout, now: number): boolean =>
  cashout.state === 'pending' && now < endsAt(merchants, cashout);
export const isHeld = (cashout: ModelCashout, now: number): boolean => now < cashout.heldUntil;

export type Ended = Outcome<CashoutCell>;
export const refuse = (cell: CashoutCell, code: string): Ended => ({ state: cell, answer: { code } });

/** Makes the cashout after a change. */
export const changed = (cashout: ModelCashout, fields: Partial<ModelCashout>, event: string, actor: string, now: number): ModelCashout => ({
  ...cashout,
  ...fields,
  updatedAt: now,
  history: [...cashout.history, { event: `cashout.${event}`, actor, at: now }],
});

export function put(cell: CashoutCell, cashout: ModelCashout, status?: 'APROBADA' | 'VENCIDA'): CashoutCell {
  const { merchantId, operationId, amountMinor, currency } = cashout;
  const notice: ModelNotice[] =
    status === undefined
      ? []
      : [
          {
            merchantId,
            subject: `cashout ${operationId}`,
            body: { amount: formatAmount(amountMinor, currency), document: cell.document, operation: operationId, currency, status },
          },
        ];
  return {
    ...cell,
    cashouts: { ...cell.cashouts, [nameOf(cashout)]: cashout },
    notices: notice.length === 0 ? cell.notices : [...cell.notices, ...notice],
  };
}
