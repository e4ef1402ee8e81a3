import { cashoutClaimChecks } from '../../cashouts/index.ts';
import { orderClaimChecks } from '../../orders/index.ts';

/** Whatever cells claim at home: how it is proved, and claimed again. */
export const CLAIM_CHECKS = [...orderClaimChecks, ...cashoutClaimChecks];
