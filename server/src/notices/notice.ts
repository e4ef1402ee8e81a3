/** What a merchant is told about one of its orders. Source: contract §3.5, §3.6. */
export type NewOrderNotice = {
  readonly kind: 'order';
  readonly merchantId: string;
  readonly orderId: string;
  /** The order's id as the notice tells it: that of a recurrent order carries a counter (contract §3.5). */
  readonly poId: string;
  readonly serviceOrderId: bigint;
  readonly status: 'approved' | 'cancelled';
  readonly amountMinor: bigint;
  readonly currency: string;
  /** How it was paid; empty where it was not. */
  readonly payment: string;
  readonly at: Temporal.Instant;
};

/** What a merchant is told about one of its cashouts. Source: contract §4.5. */
export type NewCashoutNotice = {
  readonly kind: 'cashout';
  readonly merchantId: string;
  readonly operationId: string;
  readonly document: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: 'approved' | 'expired';
  readonly at: Temporal.Instant;
};

export type NewNotice = NewOrderNotice | NewCashoutNotice;

export type NoticeState = 'waiting' | 'delivered' | 'given_up';
