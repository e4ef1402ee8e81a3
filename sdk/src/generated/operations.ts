// Made by `npm run generate` from the declarations of the operations.

/** A result code that is no success. */
export type AnswerCode =
  | '0001'
  | '0004'
  | '0009'
  | '0011'
  | '0013'
  | '0014'
  | '0017'
  | '0018'
  | '0019'
  | '0020'
  | '0021'
  | '0022'
  | '0023'
  | '0024'
  | '0025'
  | '0026'
  | '0027'
  | '0028'
  | '0031'
  | '0032'
  | '0036'
  | '0037'
  | '0041'
  | '0042'
  | '0043'
  | '0906'
  | '0909'
  | '0910'
  | '0911'
  | '0913'
  | '0914'
  | '0915'
  | '0916'
  | '0917'
  | '0918'
  | '0922'
  | '0929'
  | '0940'
  | '0950'
  | '0953';

/** The names of refusals and faults. */
export type AnswerReason =
  | 'amount_invalid'
  | 'amount_out_of_limits'
  | 'cashout_exists'
  | 'cashout_locked'
  | 'cashout_not_pending'
  | 'cashout_not_registered'
  | 'cashout_unknown'
  | 'cellphone_impossible'
  | 'checksum_invalid'
  | 'collected_too_small'
  | 'content_invalid'
  | 'country_invalid'
  | 'country_not_allowed'
  | 'currency_invalid'
  | 'currency_not_allowed'
  | 'date_malformed'
  | 'document_limit_reached'
  | 'expiration_malformed'
  | 'expiration_out_of_range'
  | 'expire_malformed'
  | 'expire_out_of_range'
  | 'fund_too_large'
  | 'fund_too_small'
  | 'headers_too_large'
  | 'id_ambiguous'
  | 'internal'
  | 'key_in_flight'
  | 'key_reused'
  | 'limit_invalid'
  | 'malformed'
  | 'merchant_invalid'
  | 'method_invalid'
  | 'move_differs'
  | 'not_found'
  | 'nothing_to_refund'
  | 'operation_invalid'
  | 'order_exists'
  | 'order_not_found'
  | 'order_not_open'
  | 'page_invalid'
  | 'parameter_invalid'
  | 'password_too_short'
  | 'payment_not_found'
  | 'range_invalid'
  | 'recurrent_not_allowed'
  | 'reference_taken'
  | 'refund_approved'
  | 'refund_currency_differs'
  | 'refund_ended'
  | 'refund_exists'
  | 'refund_has_cashout'
  | 'refund_not_approved'
  | 'refund_not_for_cashout'
  | 'refund_not_found'
  | 'refund_too_early'
  | 'refund_too_large'
  | 'resend_limit_reached'
  | 'sms_unavailable'
  | 'terms_repeated'
  | 'too_large'
  | 'too_many_refunds'
  | 'too_many_requests'
  | 'too_slow'
  | 'unavailable'
  | 'version_mismatch';

/** The codes of what is not a business answer. */
export const FAULTS = '0011 malformed,0940 not_found,0011 too_slow,0913 too_large,0913 headers_too_large,0929 too_many_requests,0950 internal,0953 unavailable';

/** Decimals of the currencies that have no hundredths. */
export const DECIMALS: Readonly<Record<string, number>> = {"BIF":0,"CLP":0,"DJF":0,"GNF":0,"ISK":0,"JPY":0,"KMF":0,"KRW":0,"PYG":0,"RWF":0,"UGX":0,"UYI":0,"VND":0,"VUV":0,"XAF":0,"XOF":0,"XPF":0,"BHD":3,"IQD":3,"JOD":3,"KWD":3,"LYD":3,"OMR":3,"TND":3,"CLF":4,"UYW":4};

export type CreateOrder = {
  readonly fields: {
    /** The e-mail address of the customer: one @, a dot in the domain, no spaces, no digits after the last dot. Empty where the merchant may have such orders: no mail is sent. Part of the checksum. */
    readonly email: string;
    /** The country, three digits: the merchant’s own. Part of the checksum, as sent. */
    readonly country: string;
    /** The merchant’s id of the order. Part of the checksum. */
    readonly order: string;
    /** The currency, ISO 4217: one of the merchant’s. Part of the checksum. */
    readonly money: string;
    /** The amount to pay, a plain decimal with no more decimals than the currency has. Zeros at its end carry no value: `50.000` of COP is fifty, not fifty thousand; a merchant may have such refused (`merchants strict-amounts`). 0 leaves it to the payer, where the merchant may have such orders. Part of the checksum, as sent. */
    readonly amount: string;
    /** The digits that the customer pays with. Empty leaves them; in a creation the service makes one. */
    readonly reference?: string | undefined;
    /** What is paid for. Empty clears it. */
    readonly description?: string | undefined;
    /** The payment method. Empty: the customer chooses at the checkout. */
    readonly method?: string | undefined;
    /** The language of texts and of the checkout page. Empty leaves it. */
    readonly language?: string | undefined;
    /** Whether the order stays open after each payment, without an end. Colombia only. */
    readonly recurrent?: boolean | undefined;
    /** The last day on which the order can be paid, DD/MM/YYYY. Empty leaves it; in a creation it is 30 days from today. */
    readonly expiration?: string | undefined;
    /** The percentage of VAT, 0 to 100 with up to four decimals. Empty clears it. */
    readonly iva?: string | undefined;
    /** The customer’s identity document. Empty clears it. */
    readonly user_di?: string | undefined;
    /** The kind of that document. Empty clears it. */
    readonly user_type_di?: string | undefined;
    /** The customer’s name. Empty clears it. */
    readonly user_name?: string | undefined;
    /** Milliseconds until the checkout leads back to the shop. Empty clears it. */
    readonly redirect_timeout?: string | undefined;
  };
  readonly data: {
    readonly OrdenID: string;
    readonly Monto: string;
    readonly SVordenID: string;
    readonly Referencia: string;
    readonly Operacion: 'CREADA';
    readonly checkout: string;
  };
};
export const createOrder = {
  "route": "POST /api/v3/porders",
  "proof": [
    "email",
    "country",
    "order",
    "money",
    "amount"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0021 amount_invalid,0022 country_invalid,0023 currency_invalid,0027 method_invalid,0031 expiration_malformed,0025 checksum_invalid,0909 key_in_flight,0922 key_reused,0022 country_not_allowed,0042 order_exists,0042 id_ambiguous,0026 currency_not_allowed,0020 recurrent_not_allowed,0032 expiration_out_of_range,0043 reference_taken"
} as const;

export type UpdateOrder = {
  readonly fields: {
    /** The e-mail address of the customer: one @, a dot in the domain, no spaces, no digits after the last dot. Empty where the merchant may have such orders: no mail is sent. Part of the checksum. */
    readonly email: string;
    /** The country, three digits: the merchant’s own. Part of the checksum, as sent. */
    readonly country: string;
    /** The merchant’s id of the order. Part of the checksum. */
    readonly order: string;
    /** The currency, ISO 4217: one of the merchant’s. Part of the checksum. */
    readonly money: string;
    /** The amount to pay, a plain decimal with no more decimals than the currency has. Zeros at its end carry no value: `50.000` of COP is fifty, not fifty thousand; a merchant may have such refused (`merchants strict-amounts`). 0 leaves it to the payer, where the merchant may have such orders. Part of the checksum, as sent. */
    readonly amount: string;
    /** The digits that the customer pays with. Empty leaves them; in a creation the service makes one. */
    readonly reference?: string | undefined;
    /** What is paid for. Empty clears it. */
    readonly description?: string | undefined;
    /** The payment method. Empty: the customer chooses at the checkout. */
    readonly method?: string | undefined;
    /** The language of texts and of the checkout page. Empty leaves it. */
    readonly language?: string | undefined;
    /** Whether the order stays open after each payment, without an end. Colombia only. */
    readonly recurrent?: boolean | undefined;
    /** The last day on which the order can be paid, DD/MM/YYYY. Empty leaves it; in a creation it is 30 days from today. */
    readonly expiration?: string | undefined;
    /** The percentage of VAT, 0 to 100 with up to four decimals. Empty clears it. */
    readonly iva?: string | undefined;
    /** The customer’s identity document. Empty clears it. */
    readonly user_di?: string | undefined;
    /** The kind of that document. Empty clears it. */
    readonly user_type_di?: string | undefined;
    /** The customer’s name. Empty clears it. */
    readonly user_name?: string | undefined;
    /** Milliseconds until the checkout leads back to the shop. Empty clears it. */
    readonly redirect_timeout?: string | undefined;
  };
  readonly data: {
    readonly OrdenID: string;
    readonly Monto: string;
    readonly SVordenID: string;
    readonly Referencia: string;
    readonly Operacion: 'ACTUALIZADO';
    readonly checkout: string;
  };
};
export const updateOrder = {
  "route": "PATCH /api/v3/porders",
  "proof": [
    "email",
    "country",
    "order",
    "money",
    "amount"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0021 amount_invalid,0022 country_invalid,0023 currency_invalid,0027 method_invalid,0031 expiration_malformed,0025 checksum_invalid,0022 country_not_allowed,0041 order_not_open,0910 version_mismatch,0020 id_ambiguous,0026 currency_not_allowed,0020 recurrent_not_allowed,0032 expiration_out_of_range,0043 reference_taken,0911 terms_repeated"
} as const;

export type QueryOrder = {
  readonly fields: {
    /** The merchant’s id of the order. */
    readonly order: string;
    /** `cuspse`: the answer has `ADITIONAL_INFO`. Any other value says nothing. */
    readonly aditionalinfo?: string | undefined;
  };
  readonly data: {
    readonly ORDER: string;
    readonly CODE: number;
    readonly STATE: 'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA';
    readonly AMOUNT: string;
    readonly CURRENCY: string;
    readonly REFERENCE: string;
    readonly DESCRIPTION: string;
    readonly EMAIL: string;
    readonly PAYMNENT_METHOD: string;
    readonly CREATION_DATE: string;
    readonly UDPATE_DATE: string;
    readonly LIFE_TIME: string;
    readonly NOTIFICATION_RESPONSE: string;
    readonly TRANSACTION: Readonly<Record<string, never>> | {
      readonly ID: string;
      readonly SOURCE: string;
      readonly NUMBER: number;
      readonly AMOUNT: string;
      readonly CURRENCY: string;
      readonly DATE: string;
      readonly STATE: 'APROBADA' | 'ANULADA';
      readonly GIVEN_BACK: string;
    };
    readonly checkout: string;
    readonly ADITIONAL_INFO?: {
      readonly CUS: string;
    } | undefined;
  };
};
export const queryOrder = {
  "route": "GET /api/v3/porders/:order",
  "proof": [
    "order",
    "merchant"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0025 checksum_invalid,0001 order_not_found"
} as const;

export type QueryOrderByReference = {
  readonly fields: {
    /** The reference of the order. Part of the checksum. */
    readonly reference: string;
    /** `cuspse`: the answer has `ADITIONAL_INFO`. Any other value says nothing. */
    readonly aditionalinfo?: string | undefined;
  };
  readonly data: {
    readonly ORDER: string;
    readonly CODE: number;
    readonly STATE: 'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA';
    readonly AMOUNT: string;
    readonly CURRENCY: string;
    readonly REFERENCE: string;
    readonly DESCRIPTION: string;
    readonly EMAIL: string;
    readonly PAYMNENT_METHOD: string;
    readonly CREATION_DATE: string;
    readonly UDPATE_DATE: string;
    readonly LIFE_TIME: string;
    readonly NOTIFICATION_RESPONSE: string;
    readonly TRANSACTION: Readonly<Record<string, never>> | {
      readonly ID: string;
      readonly SOURCE: string;
      readonly NUMBER: number;
      readonly AMOUNT: string;
      readonly CURRENCY: string;
      readonly DATE: string;
      readonly STATE: 'APROBADA' | 'ANULADA';
      readonly GIVEN_BACK: string;
    };
    readonly checkout: string;
    readonly ADITIONAL_INFO?: {
      readonly CUS: string;
    } | undefined;
  };
};
export const queryOrderByReference = {
  "route": "GET /api/v3/porders",
  "proof": [
    "reference",
    "merchant"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0025 checksum_invalid,0001 order_not_found"
} as const;

export type CancelOrder = {
  readonly fields: {
    /** The merchant’s id of the order. */
    readonly order: string;
  };
  readonly data: {
    readonly OrderID: string;
    readonly SVOrderID: string;
    readonly Reference: string;
    readonly Amount: string;
    readonly Operation: 'DELETED';
  };
};
export const cancelOrder = {
  "route": "DELETE /api/v3/porders/:order",
  "proof": [
    "order",
    "merchant"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0025 checksum_invalid,0018 order_not_found,0041 order_not_open,0910 version_mismatch"
} as const;

export type ReadOrderHistory = {
  readonly fields: {
    /** The merchant’s id of the order. */
    readonly order: string;
    /** Only what came after this version. */
    readonly after?: string | undefined;
  };
  readonly data: {
    readonly OrdenID: string;
    readonly HISTORY: readonly {
      readonly VERSION: number;
      readonly OPERATION: string;
      readonly ACTOR: string;
      readonly DATE: string;
      readonly INSTANT: string;
      readonly CHANGES: Readonly<Record<string, {
        readonly from: string | null;
        readonly to: string | null;
      }>>;
    }[];
    readonly NEXT: string;
  };
};
export const readOrderHistory = {
  "route": "GET /api/v3/porders/:order/history",
  "proof": [
    "order",
    "merchant"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0025 checksum_invalid,0001 order_not_found"
} as const;

export type RequestRefund = {
  readonly fields: {
    /** What the request is for: `refund.request`. Part of the checksum, so that the checksum of another operation does nothing here. */
    readonly type: string;
    /** The merchant’s id of the order. Part of the checksum. */
    readonly order: string;
    /** The merchant’s id of the refund, one for each. Given again it is the same refund. Part of the checksum. */
    readonly refund: string;
    /** Who is to hand the money to the payer: the `network` that took the payment, the `operator` of the service, the `merchant` itself, or a network at a counter, for a `cashout` that the merchant registers once it is approved. Part of the checksum. */
    readonly refunded_by: string;
    /** The currency of the payment, ISO 4217. Part of the checksum. */
    readonly money: string;
    /** How much, a plain decimal above zero with no more decimals than the currency has. Part of the checksum, as sent. */
    readonly amount: string;
    /** Why, in one line. The order’s history has it; the payer does not see it. */
    readonly reason: string;
    /** Of a recurrent order: which payment, counted from 1. The last one where absent. */
    readonly payment?: string | undefined;
    /** What bears the refund: what the merchant has `collected`, also where absent, or its `fund` for cashouts. */
    readonly taken_from?: string | undefined;
  };
  readonly data: {
    readonly REFUND: string;
    readonly ORDER: string;
    readonly PAYMENT: number;
    readonly STATE: 'SOLICITADO' | 'APROBADO' | 'PAGADO' | 'FALLIDO' | 'CANCELADO';
    readonly AMOUNT: string;
    readonly CURRENCY: string;
    readonly FEE: string;
    readonly TAX: string;
    readonly REFUNDED_BY: 'network' | 'operator' | 'merchant' | 'cashout';
    readonly CASHOUT: string;
    readonly TAKEN_FROM: 'collected' | 'fund';
    readonly REASON: string;
    readonly REQUEST_DATE: string;
    readonly END_DATE: string;
    readonly PROOF: string;
    readonly PROBLEM: string;
  };
};
export const requestRefund = {
  "route": "POST /api/v3/refunds",
  "proof": [
    "order",
    "type",
    "refund",
    "refunded_by",
    "money",
    "amount"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0021 amount_invalid,0023 currency_invalid,0025 checksum_invalid,0909 key_in_flight,0922 key_reused,0018 order_not_found,0041 payment_not_found,0042 refund_exists,0906 nothing_to_refund,0914 refund_too_early,0026 refund_currency_differs,0915 refund_too_large,0020 too_many_refunds,0916 collected_too_small,0025 fund_too_small"
} as const;

export type QueryRefund = {
  readonly fields: {
    /** The merchant’s id of the refund, or one that the service has made: that of the order, a dot and a number. */
    readonly refund: string;
    /** What the request is for: `refund.query`. Part of the checksum, so that the checksum of another operation does nothing here. */
    readonly type: string;
  };
  readonly data: {
    readonly REFUND: string;
    readonly ORDER: string;
    readonly PAYMENT: number;
    readonly STATE: 'SOLICITADO' | 'APROBADO' | 'PAGADO' | 'FALLIDO' | 'CANCELADO';
    readonly AMOUNT: string;
    readonly CURRENCY: string;
    readonly FEE: string;
    readonly TAX: string;
    readonly REFUNDED_BY: 'network' | 'operator' | 'merchant' | 'cashout';
    readonly CASHOUT: string;
    readonly TAKEN_FROM: 'collected' | 'fund';
    readonly REASON: string;
    readonly REQUEST_DATE: string;
    readonly END_DATE: string;
    readonly PROOF: string;
    readonly PROBLEM: string;
  };
};
export const queryRefund = {
  "route": "GET /api/v3/refunds/:refund",
  "proof": [
    "type",
    "refund",
    "merchant"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0025 checksum_invalid,0001 refund_not_found"
} as const;

export type ListRefunds = {
  readonly fields: {
    /** What the request is for: `refund.list`. Part of the checksum, so that the checksum of another operation does nothing here. */
    readonly type: string;
    /** The first day of the requests, YYYYMMDD. Part of the checksum. */
    readonly start: string;
    /** The last day of the requests, YYYYMMDD. Part of the checksum. */
    readonly end: string;
    /** Only refunds in these states, with commas: SOLICITADO, APROBADO, PAGADO, FALLIDO, CANCELADO. */
    readonly state?: string | undefined;
    /** Only refunds of this order. */
    readonly order?: string | undefined;
    /** 1–9999; 1 where absent. */
    readonly page?: string | undefined;
    /** 10–100; 23 where absent. */
    readonly limit?: string | undefined;
    /** From a link of an earlier answer; it decides which page is shown. */
    readonly cursor?: string | undefined;
  };
  readonly data: {
    readonly REFUNDS: readonly {
      readonly REFUND: string;
      readonly ORDER: string;
      readonly PAYMENT: number;
      readonly STATE: 'SOLICITADO' | 'APROBADO' | 'PAGADO' | 'FALLIDO' | 'CANCELADO';
      readonly AMOUNT: string;
      readonly CURRENCY: string;
      readonly FEE: string;
      readonly TAX: string;
      readonly REFUNDED_BY: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly CASHOUT: string;
      readonly TAKEN_FROM: 'collected' | 'fund';
      readonly REASON: string;
      readonly REQUEST_DATE: string;
      readonly END_DATE: string;
      readonly PROOF: string;
      readonly PROBLEM: string;
    }[];
    readonly FIRST: string;
    readonly PREVIOUS: string;
    readonly NEXT: string;
    readonly END: string;
  };
};
export const listRefunds = {
  "route": "GET /api/v3/refunds",
  "proof": [
    "type",
    "merchant",
    "start",
    "end"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0011 range_invalid,0011 page_invalid,0011 limit_invalid,0025 checksum_invalid"
} as const;

export type CancelRefund = {
  readonly fields: {
    /** The merchant’s id of the refund, or one that the service has made: that of the order, a dot and a number. */
    readonly refund: string;
    /** What the request is for: `refund.cancel`. Part of the checksum, so that the checksum of another operation does nothing here. */
    readonly type: string;
  };
  readonly data: {
    readonly REFUND: string;
    readonly ORDER: string;
    readonly PAYMENT: number;
    readonly STATE: 'SOLICITADO' | 'APROBADO' | 'PAGADO' | 'FALLIDO' | 'CANCELADO';
    readonly AMOUNT: string;
    readonly CURRENCY: string;
    readonly FEE: string;
    readonly TAX: string;
    readonly REFUNDED_BY: 'network' | 'operator' | 'merchant' | 'cashout';
    readonly CASHOUT: string;
    readonly TAKEN_FROM: 'collected' | 'fund';
    readonly REASON: string;
    readonly REQUEST_DATE: string;
    readonly END_DATE: string;
    readonly PROOF: string;
    readonly PROBLEM: string;
  };
};
export const cancelRefund = {
  "route": "DELETE /api/v3/refunds/:refund",
  "proof": [
    "type",
    "refund",
    "merchant"
  ],
  "refusals": "0011 content_invalid,0017 merchant_invalid,0025 checksum_invalid,0018 refund_not_found,0041 refund_ended,0041 refund_approved"
} as const;

export type RegisterRefundCashout = {
  readonly fields: {
    /** The merchant’s id of the refund, or one that the service has made: that of the order, a dot and a number. */
    readonly refund: string;
    /** What the request is for: `refund.cashout`. Part of the checksum, so that the checksum of another operation does nothing here. */
    readonly type: string;
    /** The merchant's id of the cashout, unique per merchant for ever. */
    readonly operation: string;
    /** Identification number of the end user: digits. Where the merchant has such documents, capital letters beside them. */
    readonly document: string;
    /** Shown to the end user. */
    readonly description?: string | undefined;
    /** Whether the one-time password goes to the cellphone; false where absent. */
    readonly sms?: boolean | undefined;
    /** Where the one-time password goes; required when sms is true. Then it is a mobile number of the country of the merchant, as people there write it, or one of any country with `+` or `00` before its calling code. */
    readonly cellphone?: string | undefined;
    /** The last day on which it can be collected, YYYY-MM-DD, today to 365 days after it; 30 days after today where absent. */
    readonly expire?: string | undefined;
    /** Digits of the one-time password, 4 to 12; 6 where absent. Fewer than 6 open the cashout for one day, unless the service sets another time. Then renew the password. */
    readonly otpLength?: string | undefined;
  };
  readonly data: {
    readonly amount: string;
    readonly transactionCost: string;
    readonly currency: string;
    readonly description: string;
    readonly document: string;
    readonly operation: string;
    readonly expire: string;
    readonly svCode: string;
    readonly balance: string;
    readonly otp?: string | undefined;
  };
};
export const registerRefundCashout = {
  "route": "POST /cashout/v1/refund/:refund",
  "proof": [
    "refund",
    "type",
    "operation",
    "type",
    "document"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0024 operation_invalid,0036 expire_malformed,0009 checksum_invalid,0909 key_in_flight,0014 refund_not_found,0922 key_reused,0021 refund_ended,0917 refund_not_approved,0918 refund_has_cashout,0021 refund_not_for_cashout,0019 currency_not_allowed,0019 cellphone_impossible,0020 sms_unavailable,0037 expire_out_of_range,0042 cashout_exists,0004 amount_out_of_limits,0020 document_limit_reached,0025 fund_too_small"
} as const;

export type ListCashouts = {
  readonly fields: {
    /** `0` for all; or names of contract §4.6 in any case, with commas. */
    readonly status?: string | undefined;
    /** Only cashouts of this end user. */
    readonly document?: string | undefined;
    /** From a link of an earlier answer; it decides which page is shown. */
    readonly cursor?: string | undefined;
    /** First update day, YYYYMMDD; today where absent. */
    readonly start?: string | undefined;
    /** Last update day, YYYYMMDD; today where absent. */
    readonly end?: string | undefined;
    /** 1–9999; 1 where absent. */
    readonly page?: string | undefined;
    /** 10–100; 23 where absent. */
    readonly limit?: string | undefined;
  };
  readonly data: {
    readonly amount: string;
    readonly transactionCost: string;
    readonly currency: string;
    readonly description: string;
    readonly document: string;
    readonly sms: 'true' | 'false';
    readonly cellphone: string;
    readonly operation: string;
    readonly expire: string;
    readonly update: string;
    readonly status: 'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA';
  };
};
export const listCashouts = {
  "route": "GET /cashout/v1/operation/:merchant",
  "proof": [
    "merchant",
    "start",
    "end"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0036 date_malformed,0037 range_invalid,0028 page_invalid,0026 limit_invalid,0009 checksum_invalid"
} as const;

export type RegisterCashout = {
  readonly fields: {
    /** The merchant's id of the cashout, unique per merchant for ever. */
    readonly operation: string;
    /** Identification number of the end user: digits. Where the merchant has such documents, capital letters beside them. */
    readonly document: string;
    /** Plain decimal above zero. Zeros at its end carry no value: `50.000` of COP is fifty. */
    readonly amount: string;
    /** What the end user bears, a plain decimal; zero where absent. */
    readonly transactionCost?: string | undefined;
    /** ISO 4217. */
    readonly currency: string;
    /** Shown to the end user. */
    readonly description?: string | undefined;
    /** Whether the one-time password goes to the cellphone; false where absent. */
    readonly sms?: boolean | undefined;
    /** Where the one-time password goes; required when sms is true. Then it is a mobile number of the country of the merchant, as people there write it, or one of any country with `+` or `00` before its calling code. */
    readonly cellphone?: string | undefined;
    /** The last day on which it can be collected, YYYY-MM-DD, today to 365 days after it; 30 days after today where absent. */
    readonly expire?: string | undefined;
    /** Digits of the one-time password, 4 to 12; 6 where absent. Fewer than 6 open the cashout for one day, unless the service sets another time. Then renew the password. */
    readonly otpLength?: string | undefined;
  };
  readonly data: {
    readonly amount: string;
    readonly transactionCost: string;
    readonly currency: string;
    readonly description: string;
    readonly document: string;
    readonly operation: string;
    readonly expire: string;
    readonly svCode: string;
    readonly balance: string;
    readonly otp?: string | undefined;
  };
};
export const registerCashout = {
  "route": "POST /cashout/v1/operation",
  "proof": [
    "merchant",
    "operation",
    "amount",
    "currency",
    "document"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0024 operation_invalid,0004 amount_invalid,0036 expire_malformed,0009 checksum_invalid,0909 key_in_flight,0922 key_reused,0019 currency_not_allowed,0019 cellphone_impossible,0020 sms_unavailable,0037 expire_out_of_range,0042 cashout_exists,0004 amount_out_of_limits,0020 document_limit_reached,0025 fund_too_small"
} as const;

export type QueryCashout = {
  readonly fields: {
    /** The merchant's id of the cashout, unique per merchant for ever. */
    readonly operation: string;
    /** Identification number of the end user: digits. Where the merchant has such documents, capital letters beside them. */
    readonly document: string;
  };
  readonly data: {
    readonly amount: string;
    readonly transactionCost: string;
    readonly currency: string;
    readonly description: string;
    readonly document: string;
    readonly sms: 'true' | 'false';
    readonly cellphone: string;
    readonly operation: string;
    readonly expire: string;
    readonly update: string;
    readonly status: 'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA';
  };
};
export const queryCashout = {
  "route": "GET /cashout/v1/operation/:merchant/:operation",
  "proof": [
    "merchant",
    "operation",
    "document"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0024 operation_invalid,0009 checksum_invalid,0001 cashout_unknown"
} as const;

export type CancelCashout = {
  readonly fields: {
    /** The merchant's id of the cashout, unique per merchant for ever. */
    readonly operation: string;
    /** Identification number of the end user: digits. Where the merchant has such documents, capital letters beside them. */
    readonly document: string;
  };
  readonly data: {
    readonly amount: string;
    readonly transactionCost: string;
    readonly currency: string;
    readonly description: string;
    readonly document: string;
    readonly sms: 'true' | 'false';
    readonly cellphone: string;
    readonly operation: string;
    readonly expire: string;
    readonly update: string;
    readonly status: 'PENDIENTE' | 'APROBADA' | 'VENCIDA' | 'CANCELADA' | 'ANULADA';
  };
};
export const cancelCashout = {
  "route": "DELETE /cashout/v1/operation/:merchant/:operation",
  "proof": [
    "merchant",
    "operation"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0024 operation_invalid,0009 checksum_invalid,0014 cashout_not_registered,0021 cashout_not_pending,0013 cashout_locked"
} as const;

export type RenewOneTimePassword = {
  readonly fields: {
    /** The merchant's id of the cashout, unique per merchant for ever. */
    readonly operation: string;
    /** Identification number of the end user: digits. Where the merchant has such documents, capital letters beside them. */
    readonly document: string;
    /** `otp.` and an id of this renewal that is new each time. Part of the checksum. */
    readonly renewal: string;
    /** Digits of the one-time password, 4 to 12; 6 where absent. Fewer than 6 open the cashout for one day, unless the service sets another time. Then renew the password. */
    readonly otpLength?: string | undefined;
  };
  readonly data: {
    readonly operation: string;
    readonly document: string;
    readonly otp?: string | undefined;
  };
};
export const renewOneTimePassword = {
  "route": "POST /cashout/v1/operation/:merchant/:operation/otp",
  "proof": [
    "document",
    "operation",
    "merchant",
    "renewal"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0024 operation_invalid,0009 checksum_invalid,0909 key_in_flight,0922 key_reused,0014 cashout_not_registered,0021 cashout_not_pending,0013 cashout_locked,0013 resend_limit_reached,0019 password_too_short,0019 cellphone_impossible,0020 sms_unavailable"
} as const;

export type ReadBalance = {
  readonly fields: {

  };
  readonly data: {
    readonly balances: readonly {
      readonly currency: string;
      readonly balance: string;
      readonly reserved: string;
    }[];
  };
};
export const readBalance = {
  "route": "GET /cashout/v1/operation/available/:merchant",
  "proof": [
    "merchant"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0009 checksum_invalid"
} as const;

export type ListMovements = {
  readonly fields: {
    /** From the link `next` of an earlier answer. */
    readonly cursor?: string | undefined;
    /** First day, YYYYMMDD; today where absent. */
    readonly start?: string | undefined;
    /** Last day, YYYYMMDD; today where absent. */
    readonly end?: string | undefined;
    /** 10–100; 23 where absent. */
    readonly limit?: string | undefined;
  };
  readonly data: {
    readonly date: string;
    readonly type: 'REGISTRO' | 'DEVOLUCION' | 'REVERSO' | 'RECARGA' | 'TRASLADO' | 'AJUSTE' | 'PAGO' | 'RECAUDO' | 'REVERSO_RECAUDO' | 'REEMBOLSO' | 'REVERSO_REEMBOLSO' | 'PAGO_REEMBOLSO' | 'LIQUIDACION' | 'PAGO_LIQUIDACION' | 'DEVOLUCION_LIQUIDACION' | 'RETENCION' | 'LIBERACION';
    readonly operation: string;
    readonly amount: string;
    readonly currency: string;
  };
};
export const listMovements = {
  "route": "GET /cashout/v1/walletmovements/:merchant",
  "proof": [
    "merchant",
    "start",
    "end"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0036 date_malformed,0037 range_invalid,0026 limit_invalid,0009 checksum_invalid"
} as const;

export type MoveToFund = {
  readonly fields: {
    /** Plain decimal above zero. Zeros at its end carry no value: `50.000` of COP is fifty. */
    readonly amount: string;
    /** ISO 4217. */
    readonly currency: string;
    /** `fund.` and an id of this move. The same again moves nothing. */
    readonly reference: string;
  };
  readonly data: {
    readonly reference: string;
    readonly amount: string;
    readonly currency: string;
    readonly balance: string;
    readonly collected: string;
  };
};
export const moveToFund = {
  "route": "POST /cashout/v1/fund",
  "proof": [
    "merchant",
    "currency",
    "amount",
    "reference"
  ],
  "refusals": "0023 merchant_invalid,0019 parameter_invalid,0004 amount_invalid,0009 checksum_invalid,0019 currency_not_allowed,0042 move_differs,0025 collected_too_small,0004 fund_too_large"
} as const;
