/** SQL: what has become of a cashout, as `state` and `updated_at`. */
export const cashoutOf = (merchantId: string, operationId: string): string =>
  `(select c.state, c.updated_at from cashouts c where c.merchant_id = ${merchantId} and c.operation_id = ${operationId})`;

/** SQL: all cashouts that pay out refunds. */
export const cashoutsOfRefunds =
  '(select merchant_id, operation_id, refund_id, state, amount_minor, currency from cashouts where refund_id is not null)';
