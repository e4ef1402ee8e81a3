/** SQL: what has become of a cashout that is not pending any more, as `is_collected` and `updated_at`. */
export const endedCashoutOf = (merchantId: string, operationId: string): string =>
  `(select c.state = 'approved' as is_collected, c.updated_at from cashouts c
     where c.merchant_id = ${merchantId} and c.operation_id = ${operationId} and c.state <> 'pending')`;

/** SQL: all cashouts that pay out refunds. */
export const cashoutsOfRefunds =
  '(select merchant_id, operation_id, refund_id, state, amount_minor, currency from cashouts where refund_id is not null)';
