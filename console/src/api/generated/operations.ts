// Made by `npm run generate` from the declarations of the operations.

export type Permission =
  | 'orders:read'
  | 'orders:write'
  | 'payments:write'
  | 'refunds:write'
  | 'cashouts:read'
  | 'cashouts:write'
  | 'merchants:read'
  | 'merchants:write'
  | 'secrets:write'
  | 'networks:read'
  | 'networks:write'
  | 'ledger:read'
  | 'ledger:write'
  | 'funds:write'
  | 'settlements:write'
  | 'notices:read'
  | 'notices:send'
  | 'messages:read'
  | 'figures:read'
  | 'exports:read'
  | 'sandbox:use'
  | 'users:read'
  | 'users:write'
  | 'tokens:write'
  | 'audit:read'
  | 'people:write';

export type Role =
  | 'owner'
  | 'operations'
  | 'finance'
  | 'support'
  | 'auditor'
  | 'administrator'
  | 'clerk'
  | 'viewer';

/** The side that a role belongs to. */
export const ROLE_SIDES = {
  owner: 'service',
  operations: 'service',
  finance: 'service',
  support: 'service',
  auditor: 'service',
  administrator: 'merchant',
  clerk: 'merchant',
  viewer: 'merchant',
} as const satisfies Readonly<Record<Role, 'service' | 'merchant'>>;

/** The names of all problems. The end of a `type` is such a name. */
export type ProblemName =
  | 'account_not_adjustable'
  | 'account_number_invalid'
  | 'account_too_large'
  | 'amount_out_of_limits'
  | 'calendar_not_shipped'
  | 'calendar_unknown'
  | 'calendar_year_missing'
  | 'cashout_exists'
  | 'cashout_locked'
  | 'cashout_not_pending'
  | 'cell_not_served'
  | 'cell_unknown'
  | 'cellphone_impossible'
  | 'clock_too_far_ahead'
  | 'clock_would_go_back'
  | 'code_wrong'
  | 'collected_too_small'
  | 'colour_invalid'
  | 'colour_too_pale'
  | 'contact_invalid'
  | 'country_unknown'
  | 'currency_needed'
  | 'currency_not_allowed'
  | 'currency_not_of_country'
  | 'currency_unknown'
  | 'day_to_come'
  | 'days_out_of_range'
  | 'deductions_too_large'
  | 'document_limit_reached'
  | 'email_invalid'
  | 'endpoint_paused'
  | 'equal_top_up'
  | 'expiration_out_of_range'
  | 'expire_out_of_range'
  | 'export_not_done'
  | 'exports_full'
  | 'fields_invalid'
  | 'file_exists'
  | 'fund_too_large'
  | 'fund_too_small'
  | 'headers_too_large'
  | 'holiday_name_invalid'
  | 'holiday_not_a_day'
  | 'holiday_twice'
  | 'holidays_empty'
  | 'holidays_not_csv'
  | 'holidays_too_many'
  | 'hours_invalid'
  | 'id_ambiguous'
  | 'if_match_missing'
  | 'instant_unknown'
  | 'internal'
  | 'key_in_flight'
  | 'key_reused'
  | 'last_owner'
  | 'layout_invalid'
  | 'layout_unknown'
  | 'least_above_most'
  | 'logo_not_png'
  | 'logo_too_large'
  | 'low_above_target'
  | 'malformed'
  | 'merchant_elsewhere'
  | 'merchant_exists'
  | 'merchant_frozen'
  | 'merchant_id_invalid'
  | 'merchant_not_yours'
  | 'merchant_unknown'
  | 'message_due'
  | 'move_differs'
  | 'name_invalid'
  | 'netname_invalid'
  | 'network_exists'
  | 'not_a_user'
  | 'not_enrolled'
  | 'not_found'
  | 'not_signed_in'
  | 'nothing_to_refund'
  | 'nothing_to_send'
  | 'nothing_to_settle'
  | 'notice_ended'
  | 'notice_under_way'
  | 'notice_unreadable'
  | 'notice_url_invalid'
  | 'notice_url_missing'
  | 'notice_url_not_https'
  | 'notice_url_private'
  | 'notice_waiting'
  | 'open_amounts_invalid'
  | 'order_exists'
  | 'order_not_open'
  | 'origin_foreign'
  | 'password_for_merchant'
  | 'password_refused'
  | 'payers_contact_invalid'
  | 'payment_given_back'
  | 'payment_not_found'
  | 'period_invalid'
  | 'period_not_begun'
  | 'permission_missing'
  | 'permission_not_yours'
  | 'person_under_way'
  | 'range_unknown'
  | 'recurrent_not_allowed'
  | 'reference_taken'
  | 'refund_approved'
  | 'refund_currency_differs'
  | 'refund_ended'
  | 'refund_exists'
  | 'refund_has_cashout'
  | 'refund_not_approved'
  | 'refund_not_for_cashout'
  | 'refund_open'
  | 'refund_too_early'
  | 'refund_too_large'
  | 'refunder_missing'
  | 'refused_payment_not_found'
  | 'request_malformed'
  | 'resend_limit_reached'
  | 'reserve_incomplete'
  | 'results_invalid'
  | 'return_url_invalid'
  | 'role_needs_merchant'
  | 'role_not_yours'
  | 'role_takes_no_merchant'
  | 'rotation_under_way'
  | 'rule_ends_early'
  | 'rule_overlaps'
  | 'schedule_incomplete'
  | 'secret_used_before'
  | 'settlement_approved'
  | 'settlement_cancelled'
  | 'settlement_ended'
  | 'settlement_not_approved'
  | 'settlement_not_sent'
  | 'settlement_paid_otherwise'
  | 'settlements_unfit'
  | 'sign_in_refused'
  | 'simulation_refused'
  | 'sms_unavailable'
  | 'source_not_of_base'
  | 'statement_too_long'
  | 'step_up_required'
  | 'streams_too_many'
  | 'tax_not_of_kind'
  | 'test_waiting'
  | 'token_invalid'
  | 'too_large'
  | 'too_many_exports'
  | 'too_many_refunds'
  | 'too_many_requests'
  | 'too_slow'
  | 'top_up_differs'
  | 'unavailable'
  | 'unknown_route'
  | 'user_disabled'
  | 'user_exists'
  | 'version_mismatch'
  | 'views_full'
  | 'void_differs'
  | 'website_invalid'
  | 'wrong_method';

/** It has no members. */
type Nothing = Readonly<Record<string, never>>;

/** What each operation takes and answers. */
export type Operations = {
  readonly readMe: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly kind: 'user' | 'token';
      readonly id: string;
      readonly name: string;
      readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer' | null;
      readonly merchant: string | null;
      readonly timeZone: string | null;
      readonly permissions: readonly ('orders:read' | 'orders:write' | 'payments:write' | 'refunds:write' | 'cashouts:read' | 'cashouts:write' | 'merchants:read' | 'merchants:write' | 'secrets:write' | 'networks:read' | 'networks:write' | 'ledger:read' | 'ledger:write' | 'funds:write' | 'settlements:write' | 'notices:read' | 'notices:send' | 'messages:read' | 'figures:read' | 'exports:read' | 'sandbox:use' | 'users:read' | 'users:write' | 'tokens:write' | 'audit:read' | 'people:write')[];
      readonly hasCodes: boolean;
      readonly isSandbox: boolean;
      readonly now: string;
    };
  };
  readonly readOrder: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly country: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
      readonly description: string | null;
      readonly method: string | null;
      readonly language: 'es' | 'en' | 'pt' | null;
      readonly recurrent: boolean;
      readonly expiresOn: string;
      readonly expiresAt: string | null;
      readonly vatRate: string | null;
      readonly userDocument: string | null;
      readonly userDocumentType: string | null;
      readonly userName: string | null;
      readonly redirectTimeoutMs: number | null;
      readonly payments: number;
      readonly paymentsGivenBack: number;
      readonly checkoutUrl: string;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly history: readonly {
        readonly version: number;
        readonly event: string;
        readonly actor: string;
        readonly at: string;
        readonly requestId: string | null;
        readonly changes: Readonly<Record<string, {
          readonly from: string | boolean | number | {
            readonly amount: string;
            readonly currency: string;
          } | null;
          readonly to: string | boolean | number | {
            readonly amount: string;
            readonly currency: string;
          } | null;
        }>>;
      }[];
      readonly paymentList: readonly {
        readonly number: number;
        readonly source: string;
        readonly transaction: string;
        readonly state: 'paid' | 'reversed' | 'voided';
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly fee: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly paidAt: string;
        readonly givenBackAt: string | null;
        readonly refunded: {
          readonly amount: string;
          readonly currency: string;
        };
      }[];
      readonly refunds: readonly {
        readonly merchant: string;
        readonly refund: string;
        readonly order: string;
        readonly payment: number;
        readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
        readonly next: 'approval' | 'payment' | 'collection' | null;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly fee: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
        readonly cashout: string | null;
        readonly takenFrom: 'collected' | 'fund';
        readonly reason: string;
        readonly requestedAt: string;
        readonly endedAt: string | null;
        readonly proof: string | null;
        readonly problem: string | null;
      }[];
      readonly refusedPayments: readonly {
        readonly source: string;
        readonly transaction: string;
        readonly refusal: string;
        readonly orderState: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tries: number;
        readonly firstAt: string;
        readonly lastAt: string;
        readonly resolvedAt: string | null;
        readonly resolvedBy: string | null;
        readonly note: string | null;
      }[];
      readonly notices: readonly {
        readonly id: string;
        readonly status: string;
        readonly state: string;
        readonly attempts: number;
        readonly answerStatus: number | null;
        readonly problem: string | null;
        readonly writtenAt: string;
        readonly attemptedAt: string | null;
        readonly deliveredAt: string | null;
      }[] | null;
      readonly messages: readonly {
        readonly kind: string;
        readonly state: string;
        readonly attempts: number;
        readonly problem: string | null;
        readonly createdAt: string;
        readonly endedAt: string | null;
      }[] | null;
      readonly entries: readonly {
        readonly transaction: string;
        readonly kind: string;
        readonly account: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly postedAt: string;
        readonly settlement: string | null;
      }[] | null;
    };
  };
  readonly createOrder: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly merchant: string;
      readonly order: string;
      readonly email: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference?: string | undefined;
      readonly description?: string | null | undefined;
      readonly method?: string | null | undefined;
      readonly language?: 'es' | 'en' | 'pt' | null | undefined;
      readonly recurrent?: boolean | undefined;
      readonly expiresOn?: string | undefined;
      readonly vatRate?: string | null | undefined;
      readonly userDocument?: string | null | undefined;
      readonly userDocumentType?: string | null | undefined;
      readonly userName?: string | null | undefined;
      readonly redirectTimeoutMs?: number | null | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly country: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
      readonly description: string | null;
      readonly method: string | null;
      readonly language: 'es' | 'en' | 'pt' | null;
      readonly recurrent: boolean;
      readonly expiresOn: string;
      readonly expiresAt: string | null;
      readonly vatRate: string | null;
      readonly userDocument: string | null;
      readonly userDocumentType: string | null;
      readonly userName: string | null;
      readonly redirectTimeoutMs: number | null;
      readonly payments: number;
      readonly paymentsGivenBack: number;
      readonly checkoutUrl: string;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly updateOrder: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly email?: string | undefined;
      readonly amount?: {
        readonly amount: string;
        readonly currency: string;
      } | undefined;
      readonly reference?: string | undefined;
      readonly description?: string | null | undefined;
      readonly method?: string | null | undefined;
      readonly language?: 'es' | 'en' | 'pt' | null | undefined;
      readonly recurrent?: boolean | undefined;
      readonly expiresOn?: string | undefined;
      readonly vatRate?: string | null | undefined;
      readonly userDocument?: string | null | undefined;
      readonly userDocumentType?: string | null | undefined;
      readonly userName?: string | null | undefined;
      readonly redirectTimeoutMs?: number | null | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly country: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
      readonly description: string | null;
      readonly method: string | null;
      readonly language: 'es' | 'en' | 'pt' | null;
      readonly recurrent: boolean;
      readonly expiresOn: string;
      readonly expiresAt: string | null;
      readonly vatRate: string | null;
      readonly userDocument: string | null;
      readonly userDocumentType: string | null;
      readonly userName: string | null;
      readonly redirectTimeoutMs: number | null;
      readonly payments: number;
      readonly paymentsGivenBack: number;
      readonly checkoutUrl: string;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly cancelOrder: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly country: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
      readonly description: string | null;
      readonly method: string | null;
      readonly language: 'es' | 'en' | 'pt' | null;
      readonly recurrent: boolean;
      readonly expiresOn: string;
      readonly expiresAt: string | null;
      readonly vatRate: string | null;
      readonly userDocument: string | null;
      readonly userDocumentType: string | null;
      readonly userName: string | null;
      readonly redirectTimeoutMs: number | null;
      readonly payments: number;
      readonly paymentsGivenBack: number;
      readonly checkoutUrl: string;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly voidOrder: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
      readonly refundedBy: 'network' | 'operator' | 'merchant';
      readonly payment?: number | undefined;
      readonly isClaim?: boolean | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly country: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
      readonly description: string | null;
      readonly method: string | null;
      readonly language: 'es' | 'en' | 'pt' | null;
      readonly recurrent: boolean;
      readonly expiresOn: string;
      readonly expiresAt: string | null;
      readonly vatRate: string | null;
      readonly userDocument: string | null;
      readonly userDocumentType: string | null;
      readonly userName: string | null;
      readonly redirectTimeoutMs: number | null;
      readonly payments: number;
      readonly paymentsGivenBack: number;
      readonly checkoutUrl: string;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly payment: {
        readonly number: number;
        readonly source: string;
        readonly transaction: string;
        readonly state: 'paid' | 'reversed' | 'voided';
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly fee: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly paidAt: string;
        readonly givenBackAt: string | null;
        readonly refunded: {
          readonly amount: string;
          readonly currency: string;
        };
      };
      readonly refund: {
        readonly merchant: string;
        readonly refund: string;
        readonly order: string;
        readonly payment: number;
        readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
        readonly next: 'approval' | 'payment' | 'collection' | null;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly fee: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
        readonly cashout: string | null;
        readonly takenFrom: 'collected' | 'fund';
        readonly reason: string;
        readonly requestedAt: string;
        readonly endedAt: string | null;
        readonly proof: string | null;
        readonly problem: string | null;
      };
      readonly isRepeated: boolean;
    };
  };
  readonly listRefunds: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: readonly ('requested' | 'approved' | 'paid' | 'failed' | 'cancelled')[] | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
    }[]; readonly next: string | null };
  };
  readonly readRefund: {
    readonly path: {
      readonly merchant: string;
      readonly refund: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
    };
  };
  readonly requestRefund: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly refund?: string | undefined;
      readonly payment?: number | undefined;
      readonly amount?: {
        readonly amount: string;
        readonly currency: string;
      } | undefined;
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly takenFrom?: 'collected' | 'fund' | undefined;
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly approveRefund: {
    readonly path: {
      readonly merchant: string;
      readonly refund: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly payRefund: {
    readonly path: {
      readonly merchant: string;
      readonly refund: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly refundedBy?: 'network' | 'operator' | 'merchant' | undefined;
      readonly proof?: string | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly failRefund: {
    readonly path: {
      readonly merchant: string;
      readonly refund: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly cancelRefund: {
    readonly path: {
      readonly merchant: string;
      readonly refund: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly refund: string;
      readonly order: string;
      readonly payment: number;
      readonly state: 'requested' | 'approved' | 'paid' | 'failed' | 'cancelled';
      readonly next: 'approval' | 'payment' | 'collection' | null;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refundedBy: 'network' | 'operator' | 'merchant' | 'cashout';
      readonly cashout: string | null;
      readonly takenFrom: 'collected' | 'fund';
      readonly reason: string;
      readonly requestedAt: string;
      readonly endedAt: string | null;
      readonly proof: string | null;
      readonly problem: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly registerRefundCashout: {
    readonly path: {
      readonly merchant: string;
      readonly refund: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly operation: string;
      readonly document: string;
      readonly transactionCost?: string | undefined;
      readonly description?: string | undefined;
      readonly sms?: boolean | undefined;
      readonly cellphone?: string | undefined;
      readonly expiresOn?: string | undefined;
      readonly otpLength?: number | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly oneTimePassword?: string | undefined;
    };
  };
  readonly listRefusedPayments: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly since?: string | undefined;
      readonly resolved?: boolean | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly order: string;
      readonly source: string;
      readonly transaction: string;
      readonly refusal: string;
      readonly orderState: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tries: number;
      readonly firstAt: string;
      readonly lastAt: string;
      readonly resolvedAt: string | null;
      readonly resolvedBy: string | null;
      readonly note: string | null;
    }[]; readonly next: string | null };
  };
  readonly readRefusedBeyond: {
    readonly path: Nothing;
    readonly query: {
      readonly since?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly days: readonly {
        readonly source: string;
        readonly day: string;
        readonly tries: number;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly lastAt: string;
      }[];
    };
  };
  readonly resolveRefusedPayments: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly note: string;
      readonly transaction?: string | undefined;
    };
    readonly answer: {
      readonly resolved: readonly {
        readonly source: string;
        readonly transaction: string;
        readonly refusal: string;
        readonly orderState: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tries: number;
        readonly firstAt: string;
        readonly lastAt: string;
        readonly resolvedAt: string | null;
        readonly resolvedBy: string | null;
        readonly note: string | null;
      }[];
    };
  };
  readonly showOrderPage: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: {
      readonly version?: number | undefined;
      readonly view?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: Blob;
  };
  readonly listPageViews: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: number;
      readonly version: number;
      readonly seen: number;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly daysLeft: number;
      readonly language: 'es' | 'en' | 'pt';
      readonly device: 'phone' | 'computer' | 'program';
      readonly loads: number;
      readonly firstAt: string;
      readonly lastAt: string;
    }[]; readonly next: string | null };
  };
  readonly readCashout: {
    readonly path: {
      readonly merchant: string;
      readonly operation: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly history: readonly {
        readonly version: number;
        readonly event: string;
        readonly actor: string;
        readonly at: string;
        readonly requestId: string | null;
        readonly changes: Readonly<Record<string, {
          readonly from: string | boolean | number | {
            readonly amount: string;
            readonly currency: string;
          } | null;
          readonly to: string | boolean | number | {
            readonly amount: string;
            readonly currency: string;
          } | null;
        }>>;
      }[];
      readonly payment: {
        readonly network: string;
        readonly transaction: string;
        readonly teller: string;
        readonly paidAt: string;
        readonly reversedAt: string | null;
      } | null;
      readonly notices: readonly {
        readonly id: string;
        readonly status: string;
        readonly state: string;
        readonly attempts: number;
        readonly answerStatus: number | null;
        readonly problem: string | null;
        readonly writtenAt: string;
        readonly attemptedAt: string | null;
        readonly deliveredAt: string | null;
      }[] | null;
      readonly messages: readonly {
        readonly kind: string;
        readonly state: string;
        readonly attempts: number;
        readonly problem: string | null;
        readonly createdAt: string;
        readonly endedAt: string | null;
      }[] | null;
      readonly entries: readonly {
        readonly transaction: string;
        readonly kind: string;
        readonly account: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly postedAt: string;
        readonly settlement: string | null;
      }[] | null;
    };
  };
  readonly registerCashout: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly merchant: string;
      readonly operation: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly document: string;
      readonly transactionCost?: string | undefined;
      readonly description?: string | undefined;
      readonly sms?: boolean | undefined;
      readonly cellphone?: string | undefined;
      readonly expiresOn?: string | undefined;
      readonly otpLength?: number | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly oneTimePassword?: string | undefined;
    };
  };
  readonly cancelCashout: {
    readonly path: {
      readonly merchant: string;
      readonly operation: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly nullifyCashout: {
    readonly path: {
      readonly merchant: string;
      readonly operation: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly unlockCashout: {
    readonly path: {
      readonly merchant: string;
      readonly operation: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly resendOneTimePassword: {
    readonly path: {
      readonly merchant: string;
      readonly operation: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly cashoutId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly transactionCost: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly fee: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly tax: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reserved: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly refund: string | null;
      readonly description: string;
      readonly document: string;
      readonly sms: boolean;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly otpWrongTries: number;
      readonly otpResends: number;
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly oneTimePassword?: string | undefined;
    };
  };
  readonly readCashoutLimits: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly limits: readonly {
        readonly currency: string;
        readonly least: string | null;
        readonly most: string | null;
        readonly perDocumentAndDay: number | null;
      }[];
    };
  };
  readonly changeCashoutLimits: {
    readonly path: {
      readonly merchant: string;
      readonly currency: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly least?: string | null | undefined;
      readonly most?: string | null | undefined;
      readonly perDocumentAndDay?: number | null | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly limits: readonly {
        readonly currency: string;
        readonly least: string | null;
        readonly most: string | null;
        readonly perDocumentAndDay: number | null;
      }[];
    };
  };
  readonly streamEvents: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: Blob;
  };
  readonly readFigures: {
    readonly path: Nothing;
    readonly query: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      readonly merchant?: string | undefined;
      readonly network?: string | undefined;
      readonly by?: 'hour' | 'day' | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly timeZone: string;
      readonly completeTo: string | null;
      readonly items: readonly {
        readonly start: string;
        readonly event: string;
        readonly count: number;
        readonly value: {
          readonly amount: string;
          readonly currency: string;
        } | null;
        readonly timeToPay: {
          readonly count: number;
          readonly seconds: number;
          readonly steps: readonly number[];
          readonly medianAtMost: number | null;
        } | null;
      }[];
    };
  };
  readonly readRefusedFigures: {
    readonly path: Nothing;
    readonly query: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      readonly merchant?: string | undefined;
      readonly network?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly timeZone: string;
      readonly items: readonly {
        readonly refusal: string;
        readonly count: number;
      }[];
    };
  };
  readonly listMerchants: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    }[]; readonly next: string | null };
  };
  readonly readMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
      readonly fixedHashes: readonly {
        readonly createdAt: string;
        readonly validUntil: string | null;
      }[];
      readonly noticeHashes: readonly {
        readonly createdAt: string;
        readonly validUntil: string | null;
      }[];
      readonly signingSecrets: readonly {
        readonly createdAt: string;
        readonly validUntil: string | null;
      }[];
    };
  };
  readonly listCountries: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly countries: readonly {
        readonly country: string;
        readonly region: string;
        readonly timeZone: string;
        readonly currencies: readonly string[];
      }[];
    };
  };
  readonly createMerchant: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly merchant: string;
      readonly country: string;
      readonly name?: string | undefined;
      readonly language?: 'es' | 'en' | 'pt' | undefined;
      readonly currencies?: readonly string[] | undefined;
      readonly noticeUrl?: string | undefined;
      readonly fixedHash?: string | undefined;
      readonly noticeHash?: string | undefined;
      readonly cell?: string | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly fixedHash: string;
      readonly noticeHash: string;
    };
  };
  readonly updateMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly name?: string | undefined;
      readonly language?: 'es' | 'en' | 'pt' | undefined;
      readonly currencies?: readonly string[] | undefined;
      readonly contact?: string | null | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly disableMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly enableMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly freezeMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly thawMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setReplayGuard: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly isOn: boolean;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setStrictAmounts: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly isOn: boolean;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setLetterDocuments: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly isOn: boolean;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setUpdateNotices: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly isOn: boolean;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setKeptFees: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly isOn: boolean;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setEmptyEmails: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly isOn: boolean;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setNoticeChecksum: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly noticeChecksum: 'sha256' | 'sha512';
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setOpenAmounts: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setMerchantLimits: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setMerchantSigning: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
    };
    readonly answer: {
      readonly merchant: string;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly signingSecret: string | null;
    };
  };
  readonly setNoticeUrl: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly noticeUrl: string | null;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly setReturnUrl: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly returnUrl: string | null;
    };
    readonly answer: {
      readonly merchant: string;
      readonly name: string;
      readonly country: string;
      readonly timeZone: string;
      readonly language: 'es' | 'en' | 'pt';
      readonly currencies: readonly string[];
      readonly contact: string | null;
      readonly noticeUrl: string | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly frozenAt: string | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly signing: 'off' | 'accept' | 'require-writes' | 'require';
      readonly guardsReplays: boolean;
      readonly strictAmounts: boolean;
      readonly letterDocuments: boolean;
      readonly reportsUpdates: boolean;
      readonly keepsFees: boolean;
      readonly emptyEmails: boolean | null;
      readonly openAmounts: readonly {
        readonly currency: string;
        readonly least: string;
        readonly most: string;
      }[];
      readonly noticeChecksum: 'sha256' | 'sha512';
      readonly returnUrl: string | null;
    };
  };
  readonly rotateFixedHash: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly days?: number | undefined;
      readonly secret?: string | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly fixedHash?: string | undefined;
      readonly previousValidUntil: string | null;
    };
  };
  readonly rotateNoticeHash: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly days?: number | undefined;
      readonly secret?: string | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly noticeHash?: string | undefined;
      readonly previousValidUntil: string | null;
    };
  };
  readonly rotateSigningSecret: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly days?: number | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly signingSecret?: string | undefined;
      readonly previousValidUntil: string | null;
    };
  };
  readonly listCells: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly items: readonly {
        readonly cell: number;
        readonly name: string;
        readonly database: string | null;
        readonly version: string | null;
        readonly bytes: number | null;
        readonly merchants: number | null;
        readonly connections: number | null;
        readonly isServed: boolean | null;
        readonly state: 'serving' | 'away' | 'older_schema' | 'other_schema';
        readonly reason: string | null;
      }[];
    };
  };
  readonly placeMerchant: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly cell: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly cell: string;
    };
  };
  readonly readRequests: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: {
      readonly refused?: boolean | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly processes: number;
      readonly heard: number;
      readonly items: readonly {
        readonly at: string;
        readonly operation: string;
        readonly refusal: string | null;
        readonly code: string | null;
        readonly status: number;
        readonly milliseconds: number;
        readonly requestId: string;
        readonly proof: 'none' | 'checksum' | 'signature';
        readonly subject: {
          readonly kind: 'order' | 'cashout';
          readonly id: string;
        } | null;
      }[];
    };
  };
  readonly readMerchantBrand: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly colour: string | null;
      readonly contact: string | null;
      readonly website: string | null;
      readonly logo: string | null;
    };
  };
  readonly setMerchantBrand: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly colour?: string | null | undefined;
      readonly contact?: string | null | undefined;
      readonly website?: string | null | undefined;
      readonly logo?: string | null | undefined;
    };
    readonly answer: {
      readonly colour: string | null;
      readonly contact: string | null;
      readonly website: string | null;
      readonly logo: string | null;
    };
  };
  readonly readNetworkBrand: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly fees: readonly {
        readonly amount: string;
        readonly currency: string;
      }[];
      readonly hours: string | null;
      readonly logo: string | null;
    };
  };
  readonly setNetworkBrand: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly fees?: readonly {
        readonly amount: string;
        readonly currency: string;
      }[] | undefined;
      readonly hours?: string | null | undefined;
      readonly logo?: string | null | undefined;
    };
    readonly answer: {
      readonly fees: readonly {
        readonly amount: string;
        readonly currency: string;
      }[];
      readonly hours: string | null;
      readonly logo: string | null;
    };
  };
  readonly listActs: {
    readonly path: Nothing;
    readonly query: {
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly actor?: string | undefined;
      readonly operation?: string | undefined;
      readonly merchant?: string | undefined;
      readonly only?: 'changes' | 'reads' | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly cell: string;
      readonly place: string | null;
      readonly at: string;
      readonly actor: {
        readonly kind: 'user' | 'token' | 'command' | 'merchant' | 'network' | 'service' | 'nobody';
        readonly id: string;
        readonly name: string;
      };
      readonly source: string;
      readonly requestId: string | null;
      readonly operation: string;
      readonly merchant: string | null;
      readonly target: string | null;
      readonly outcome: string;
      readonly details: {
        readonly reason?: string | undefined;
        readonly given?: Readonly<Record<string, unknown>> | undefined;
        readonly changes?: Readonly<Record<string, unknown>> | undefined;
      } | null;
      readonly erasedAs: string | null;
    }[]; readonly next: string | null };
  };
  readonly summarizeActs: {
    readonly path: Nothing;
    readonly query: {
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly actor?: string | undefined;
      readonly operation?: string | undefined;
      readonly merchant?: string | undefined;
      readonly only?: 'changes' | 'reads' | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly isWhole: boolean;
      readonly count: number;
      readonly states: readonly {
        readonly state: 'done' | 'refused';
        readonly count: number;
      }[];
    };
  };
  readonly readAct: {
    readonly path: {
      readonly act: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly id: string;
      readonly cell: string;
      readonly place: string | null;
      readonly at: string;
      readonly actor: {
        readonly kind: 'user' | 'token' | 'command' | 'merchant' | 'network' | 'service' | 'nobody';
        readonly id: string;
        readonly name: string;
      };
      readonly source: string;
      readonly requestId: string | null;
      readonly operation: string;
      readonly merchant: string | null;
      readonly target: string | null;
      readonly outcome: string;
      readonly details: {
        readonly reason?: string | undefined;
        readonly given?: Readonly<Record<string, unknown>> | undefined;
        readonly changes?: Readonly<Record<string, unknown>> | undefined;
      } | null;
      readonly erasedAs: string | null;
    };
  };
  readonly listChain: {
    readonly path: Nothing;
    readonly query: {
      readonly cell?: string | undefined;
      readonly after?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly place: string;
      readonly hash: string;
      readonly actId: string | null;
      readonly at: string | null;
      readonly actor: {
        readonly kind: string;
        readonly id: string;
        readonly name: string;
      } | null;
      readonly source: string | null;
      readonly requestId: string | null;
      readonly operation: string | null;
      readonly merchantId: string | null;
      readonly target: string | null;
      readonly outcome: string | null;
      readonly detailsHash: string | null;
      readonly details: {
        readonly salt: string | null;
        readonly content: string | null;
      } | null;
    }[]; readonly next: string | null };
  };
  readonly readChainEnds: {
    readonly path: Nothing;
    readonly query: {
      readonly cell?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly cell: string;
      readonly after: {
        readonly place: string;
        readonly hash: string;
        readonly at: string;
        readonly key: string;
        readonly signature: string;
      } | null;
      readonly end: {
        readonly place: string;
        readonly hash: string;
        readonly at: string;
        readonly key: string;
        readonly signature: string;
      } | null;
    };
  };
  readonly listNetworks: {
    readonly path: Nothing;
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    }[]; readonly next: string | null };
  };
  readonly readNetwork: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly createNetwork: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly netname: string;
      readonly name?: string | undefined;
      readonly countries?: readonly string[] | null | undefined;
      readonly currencies?: readonly string[] | undefined;
    };
    readonly answer: {
      readonly netname: string;
      readonly secret: string;
      readonly signingSecret: string;
    };
  };
  readonly setNetworkServes: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly countries: readonly string[] | null;
      readonly currencies?: readonly string[] | undefined;
    };
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly setNetworkAddresses: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly addresses: readonly string[] | null;
    };
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly setNetworkLimits: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
    };
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly setNetworkSigning: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly signing: 'require' | 'checksum';
    };
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly disableNetwork: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly enableNetwork: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly netname: string;
      readonly name: string;
      readonly signing: 'require' | 'checksum';
      readonly countries: readonly string[];
      readonly currencies: readonly string[] | null;
      readonly addresses: readonly string[] | null;
      readonly limits: {
        readonly perSecond: number;
        readonly burst: number;
        readonly concurrent: number;
      } | null;
      readonly createdAt: string;
      readonly disabledAt: string | null;
      readonly earlierSecretValidUntil: string | null;
    };
  };
  readonly rotateNetworkSecret: {
    readonly path: {
      readonly netname: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly days?: number | undefined;
    };
    readonly answer: {
      readonly netname: string;
      readonly secret?: string | undefined;
      readonly signingSecret?: string | undefined;
      readonly previousValidUntil: string | null;
    };
  };
  readonly readBalances: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly account?: string | undefined;
      readonly service?: boolean | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly balances: readonly {
        readonly account: string;
        readonly balance: {
          readonly amount: string;
          readonly currency: string;
        };
      }[];
    };
  };
  readonly listEntries: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly account?: string | undefined;
      readonly transaction?: string | undefined;
      readonly currency?: string | undefined;
      readonly from?: string | undefined;
      readonly until?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly transaction: string;
      readonly line: number;
      readonly kind: 'cashout_registered' | 'cashout_released' | 'cashout_paid' | 'cashout_payment_reversed' | 'order_paid' | 'order_payment_reversed' | 'order_refund_owed' | 'order_refund_released' | 'order_refund_paid' | 'settlement_approved' | 'settlement_paid' | 'settlement_returned' | 'hold_placed' | 'hold_released' | 'top_up' | 'moved_to_fund' | 'adjustment';
      readonly account: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly postedAt: string;
      readonly reason: string | null;
      readonly settlement: string | null;
    }[]; readonly next: string | null };
  };
  readonly readFees: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly fees: readonly {
        readonly operation: 'order' | 'cashout';
        readonly percent: string;
        readonly fixed: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly taxPercent: string;
        readonly since: string;
        readonly until: string | null;
      }[];
    };
  };
  readonly readStatement: {
    readonly path: {
      readonly merchant: string;
      readonly day: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly day: string;
      readonly timeZone: string;
      readonly from: string;
      readonly until: string;
      readonly currencies: readonly {
        readonly currency: string;
        readonly opening: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly lines: readonly {
          readonly kind: 'cashout_registered' | 'cashout_released' | 'cashout_paid' | 'cashout_payment_reversed' | 'order_paid' | 'order_payment_reversed' | 'order_refund_owed' | 'order_refund_released' | 'order_refund_paid' | 'settlement_approved' | 'settlement_paid' | 'settlement_returned' | 'hold_placed' | 'hold_released' | 'top_up' | 'moved_to_fund' | 'adjustment';
          readonly transactions: number;
          readonly amount: {
            readonly amount: string;
            readonly currency: string;
          };
          readonly fees: {
            readonly amount: string;
            readonly currency: string;
          };
          readonly tax: {
            readonly amount: string;
            readonly currency: string;
          };
          readonly net: {
            readonly amount: string;
            readonly currency: string;
          };
          readonly parts: readonly {
            readonly account: string;
            readonly transactions: number;
            readonly amount: {
              readonly amount: string;
              readonly currency: string;
            };
          }[];
        }[];
        readonly closing: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly start: readonly {
          readonly account: string;
          readonly balance: {
            readonly amount: string;
            readonly currency: string;
          };
        }[];
        readonly movements: readonly {
          readonly kind: 'cashout_registered' | 'cashout_released' | 'cashout_paid' | 'cashout_payment_reversed' | 'order_paid' | 'order_payment_reversed' | 'order_refund_owed' | 'order_refund_released' | 'order_refund_paid' | 'settlement_approved' | 'settlement_paid' | 'settlement_returned' | 'hold_placed' | 'hold_released' | 'top_up' | 'moved_to_fund' | 'adjustment';
          readonly transactions: number;
          readonly amounts: readonly {
            readonly account: string;
            readonly amount: {
              readonly amount: string;
              readonly currency: string;
            };
          }[];
        }[];
        readonly end: readonly {
          readonly account: string;
          readonly balance: {
            readonly amount: string;
            readonly currency: string;
          };
        }[];
        readonly faults: readonly string[];
      }[];
      readonly addsUp: boolean;
    };
  };
  readonly readFunds: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly timeZone: string;
      readonly points: readonly {
        readonly at: string;
        readonly available: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly reserved: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly collected: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly held: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly settlements: {
          readonly amount: string;
          readonly currency: string;
        };
      }[];
    };
  };
  readonly topUp: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference?: string | undefined;
      readonly again?: boolean | undefined;
    };
    readonly answer: {
      readonly transaction: string;
      readonly isRepeated: boolean;
      readonly available: {
        readonly amount: string;
        readonly currency: string;
      };
    };
  };
  readonly adjustAccount: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly account: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reason: string;
    };
    readonly answer: {
      readonly transaction: string;
    };
  };
  readonly setFees: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly operation: 'order' | 'cashout';
      readonly percent: string;
      readonly fixed: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly taxPercent: string;
    };
    readonly answer: undefined;
  };
  readonly moveToFund: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
    };
    readonly answer: {
      readonly transaction: string;
      readonly isRepeated: boolean;
      readonly available: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly collected: {
        readonly amount: string;
        readonly currency: string;
      };
    };
  };
  readonly readFundRules: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly rules: readonly {
        readonly currency: string;
        readonly low: string | null;
        readonly target: string | null;
        readonly nextAt: string | null;
        readonly setAt: string;
      }[];
    };
  };
  readonly setFundRule: {
    readonly path: {
      readonly merchant: string;
      readonly currency: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly low: string | null;
      readonly target: string | null;
    };
    readonly answer: {
      readonly merchant: string;
      readonly rules: readonly {
        readonly currency: string;
        readonly low: string | null;
        readonly target: string | null;
        readonly nextAt: string | null;
        readonly setAt: string;
      }[];
    };
  };
  readonly endFundRule: {
    readonly path: {
      readonly merchant: string;
      readonly currency: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly rules: readonly {
        readonly currency: string;
        readonly low: string | null;
        readonly target: string | null;
        readonly nextAt: string | null;
        readonly setAt: string;
      }[];
    };
  };
  readonly listSettlements: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: readonly ('draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled')[] | undefined;
      readonly currency?: string | undefined;
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
    }[]; readonly next: string | null };
  };
  readonly showNextSettlement: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: {
      readonly currency: string;
      readonly until?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly cutoffAt: string;
      readonly lines: readonly {
        readonly kind: 'fee' | 'withholding' | 'transfer_tax' | 'reserve';
        readonly name: string;
        readonly base: 'payments' | 'fees' | 'collected' | 'payout';
        readonly source: string | null;
        readonly of: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly percent: string;
        readonly fixed: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly taxPercent: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly releaseOn: string | null;
      }[];
    };
  };
  readonly readSettlement: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
      readonly lines: readonly {
        readonly kind: 'fee' | 'withholding' | 'transfer_tax' | 'reserve';
        readonly name: string;
        readonly base: 'payments' | 'fees' | 'collected' | 'payout';
        readonly source: string | null;
        readonly of: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly percent: string;
        readonly fixed: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly taxPercent: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly releaseOn: string | null;
      }[];
    };
  };
  readonly listSettlementEntries: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly transaction: string;
      readonly kind: string;
      readonly account: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly postedAt: string;
      readonly settlement: string | null;
    }[]; readonly next: string | null };
  };
  readonly runSettlement: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly currency: string;
      readonly until?: string | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
      readonly lines: readonly {
        readonly kind: 'fee' | 'withholding' | 'transfer_tax' | 'reserve';
        readonly name: string;
        readonly base: 'payments' | 'fees' | 'collected' | 'payout';
        readonly source: string | null;
        readonly of: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly percent: string;
        readonly fixed: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly taxPercent: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly tax: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly releaseOn: string | null;
      }[];
    };
  };
  readonly approveSettlements: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly settlements: readonly string[];
    };
    readonly answer: {
      readonly results: readonly {
        readonly settlement: string;
        readonly merchant: string | null;
        readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled' | null;
        readonly isRepeated: boolean;
        readonly problem: 'not_found' | 'settlement_ended' | 'collected_too_small' | 'merchant_frozen' | null;
      }[];
    };
  };
  readonly cancelSettlement: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly sendSettlement: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly paySettlement: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly bankReference: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly returnSettlement: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly settlement: string;
      readonly state: 'draft' | 'approved' | 'sent' | 'paid' | 'returned' | 'cancelled';
      readonly entries: number;
      readonly gross: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly net: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly settledOn: string;
      readonly dueOn: string | null;
      readonly cutoffAt: string;
      readonly madeAt: string;
      readonly approvedAt: string | null;
      readonly sentAt: string | null;
      readonly file: string | null;
      readonly paidAt: string | null;
      readonly bankReference: string | null;
      readonly returnedAt: string | null;
      readonly problem: string | null;
      readonly cancelledAt: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly listHolds: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly released?: boolean | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly hold: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reason: string;
      readonly settlement: string | null;
      readonly releaseOn: string | null;
      readonly heldAt: string;
      readonly releasedAt: string | null;
    }[]; readonly next: string | null };
  };
  readonly placeHold: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reason: string;
      readonly releaseOn?: string | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly hold: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reason: string;
      readonly settlement: string | null;
      readonly releaseOn: string | null;
      readonly heldAt: string;
      readonly releasedAt: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly releaseHold: {
    readonly path: {
      readonly merchant: string;
      readonly hold: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly reason: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly hold: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reason: string;
      readonly settlement: string | null;
      readonly releaseOn: string | null;
      readonly heldAt: string;
      readonly releasedAt: string | null;
      readonly isRepeated: boolean;
    };
  };
  readonly listSettlementSchedules: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly currency: string;
      readonly period: 'daily' | 'weekly' | 'monthly' | 'on_demand';
      readonly weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null;
      readonly monthDay: number | null;
      readonly delayDays: number;
      readonly calendar: string;
      readonly minimum: string;
      readonly reservePercent: string;
      readonly reserveDays: number;
      readonly account: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
        readonly number: string;
      };
      readonly setAt: string;
      readonly nextDue: string | null;
      readonly problem: 'calendar_unknown' | 'calendar_year_missing' | null;
      readonly lastRun: {
        readonly due: string;
        readonly at: string;
        readonly outcome: string;
        readonly settlement: string | null;
      } | null;
    }[]; readonly next: string | null };
  };
  readonly readSettlementSchedule: {
    readonly path: {
      readonly merchant: string;
      readonly currency: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly currency: string;
      readonly period: 'daily' | 'weekly' | 'monthly' | 'on_demand';
      readonly weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null;
      readonly monthDay: number | null;
      readonly delayDays: number;
      readonly calendar: string;
      readonly minimum: string;
      readonly reservePercent: string;
      readonly reserveDays: number;
      readonly account: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
        readonly number: string;
      };
      readonly setAt: string;
      readonly nextDue: string | null;
      readonly problem: 'calendar_unknown' | 'calendar_year_missing' | null;
      readonly lastRun: {
        readonly due: string;
        readonly at: string;
        readonly outcome: string;
        readonly settlement: string | null;
      } | null;
    };
  };
  readonly setSettlementSchedule: {
    readonly path: {
      readonly merchant: string;
      readonly currency: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly period?: 'daily' | 'weekly' | 'monthly' | 'on_demand' | undefined;
      readonly weekday?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
      readonly monthDay?: number | undefined;
      readonly delayDays?: number | undefined;
      readonly calendar?: string | undefined;
      readonly minimum?: string | undefined;
      readonly reservePercent?: string | undefined;
      readonly reserveDays?: number | undefined;
      readonly account?: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
        readonly number: string;
      } | undefined;
    };
    readonly answer: {
      readonly merchant: string;
      readonly currency: string;
      readonly period: 'daily' | 'weekly' | 'monthly' | 'on_demand';
      readonly weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null;
      readonly monthDay: number | null;
      readonly delayDays: number;
      readonly calendar: string;
      readonly minimum: string;
      readonly reservePercent: string;
      readonly reserveDays: number;
      readonly account: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
        readonly number: string;
      };
      readonly setAt: string;
      readonly nextDue: string | null;
      readonly problem: 'calendar_unknown' | 'calendar_year_missing' | null;
      readonly lastRun: {
        readonly due: string;
        readonly at: string;
        readonly outcome: string;
        readonly settlement: string | null;
      } | null;
    };
  };
  readonly listSettlementRules: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly rule: string;
      readonly merchant: string | null;
      readonly name: string;
      readonly kind: 'fee' | 'withholding' | 'transfer_tax';
      readonly base: 'payments' | 'fees' | 'collected' | 'payout';
      readonly source: string | null;
      readonly currency: string;
      readonly percent: string;
      readonly fixed: string;
      readonly taxPercent: string;
      readonly since: string;
      readonly until: string | null;
    }[]; readonly next: string | null };
  };
  readonly addSettlementRule: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly merchant?: string | undefined;
      readonly name: string;
      readonly kind: 'fee' | 'withholding' | 'transfer_tax';
      readonly base: 'payments' | 'fees' | 'collected' | 'payout';
      readonly source?: string | null | undefined;
      readonly currency: string;
      readonly percent: string;
      readonly fixed?: string | undefined;
      readonly taxPercent?: string | undefined;
      readonly since: string;
      readonly until?: string | null | undefined;
    };
    readonly answer: {
      readonly rule: string;
      readonly merchant: string | null;
      readonly name: string;
      readonly kind: 'fee' | 'withholding' | 'transfer_tax';
      readonly base: 'payments' | 'fees' | 'collected' | 'payout';
      readonly source: string | null;
      readonly currency: string;
      readonly percent: string;
      readonly fixed: string;
      readonly taxPercent: string;
      readonly since: string;
      readonly until: string | null;
    };
  };
  readonly endSettlementRule: {
    readonly path: {
      readonly rule: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly until: string;
    };
    readonly answer: {
      readonly rule: string;
      readonly merchant: string | null;
      readonly name: string;
      readonly kind: 'fee' | 'withholding' | 'transfer_tax';
      readonly base: 'payments' | 'fees' | 'collected' | 'payout';
      readonly source: string | null;
      readonly currency: string;
      readonly percent: string;
      readonly fixed: string;
      readonly taxPercent: string;
      readonly since: string;
      readonly until: string | null;
    };
  };
  readonly listCalendars: {
    readonly path: Nothing;
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly calendar: string;
      readonly years: readonly number[];
      readonly holidays: number;
    }[]; readonly next: string | null };
  };
  readonly loadCalendar: {
    readonly path: {
      readonly calendar: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly csv?: string | undefined;
    };
    readonly answer: {
      readonly calendar: string;
      readonly years: readonly number[];
      readonly holidays: number;
    };
  };
  readonly readStatementFile: {
    readonly path: {
      readonly merchant: string;
      readonly period: string;
    };
    readonly query: {
      readonly currency?: string | undefined;
      readonly format?: 'pdf' | 'csv' | undefined;
      readonly language?: 'es' | 'en' | 'pt' | undefined;
    };
    readonly body: undefined;
    readonly answer: Blob;
  };
  readonly readSettlementStatement: {
    readonly path: {
      readonly merchant: string;
      readonly settlement: string;
    };
    readonly query: {
      readonly format?: 'pdf' | 'csv' | undefined;
      readonly language?: 'es' | 'en' | 'pt' | undefined;
    };
    readonly body: undefined;
    readonly answer: Blob;
  };
  readonly listBankFileLayouts: {
    readonly path: Nothing;
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly layout: string;
      readonly version: number;
      readonly setAt: string;
      readonly format: 'csv' | 'pain.001.001.09';
      readonly timeZone: string;
      readonly payer: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly number: string;
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
      };
      readonly csv?: {
        readonly encoding: 'utf-8' | 'windows-1252';
        readonly lineEnd: 'lf' | 'crlf';
        readonly separator: ',' | ';' | '	' | '|';
        readonly quoting: 'always' | 'needed' | 'never';
        readonly header: boolean;
        readonly decimal: '.' | ',';
        readonly days: 'YYYYMMDD' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'DDMMYYYY';
        readonly columns: readonly {
          readonly name: string;
          readonly field?: 'file' | 'row' | 'payOn' | 'settlement' | 'merchant' | 'amount' | 'amountMinor' | 'currency' | 'bankCode' | 'bankName' | 'accountType' | 'accountNumber' | 'holderName' | 'holderDocumentType' | 'holderDocument' | 'payerBankCode' | 'payerBankName' | 'payerAccountType' | 'payerAccountNumber' | 'payerName' | 'payerDocumentType' | 'payerDocument' | undefined;
          readonly text?: string | undefined;
          readonly codes?: Readonly<Record<string, string>> | undefined;
          readonly width?: number | undefined;
          readonly pad?: string | undefined;
          readonly padAt?: 'start' | 'end' | undefined;
        }[];
      } | undefined;
      readonly sample: string;
    }[]; readonly next: string | null };
  };
  readonly readBankFileLayout: {
    readonly path: {
      readonly layout: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly layout: string;
      readonly version: number;
      readonly setAt: string;
      readonly format: 'csv' | 'pain.001.001.09';
      readonly timeZone: string;
      readonly payer: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly number: string;
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
      };
      readonly csv?: {
        readonly encoding: 'utf-8' | 'windows-1252';
        readonly lineEnd: 'lf' | 'crlf';
        readonly separator: ',' | ';' | '	' | '|';
        readonly quoting: 'always' | 'needed' | 'never';
        readonly header: boolean;
        readonly decimal: '.' | ',';
        readonly days: 'YYYYMMDD' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'DDMMYYYY';
        readonly columns: readonly {
          readonly name: string;
          readonly field?: 'file' | 'row' | 'payOn' | 'settlement' | 'merchant' | 'amount' | 'amountMinor' | 'currency' | 'bankCode' | 'bankName' | 'accountType' | 'accountNumber' | 'holderName' | 'holderDocumentType' | 'holderDocument' | 'payerBankCode' | 'payerBankName' | 'payerAccountType' | 'payerAccountNumber' | 'payerName' | 'payerDocumentType' | 'payerDocument' | undefined;
          readonly text?: string | undefined;
          readonly codes?: Readonly<Record<string, string>> | undefined;
          readonly width?: number | undefined;
          readonly pad?: string | undefined;
          readonly padAt?: 'start' | 'end' | undefined;
        }[];
      } | undefined;
      readonly sample: string;
    };
  };
  readonly setBankFileLayout: {
    readonly path: {
      readonly layout: string;
    };
    readonly query: {
      readonly try?: boolean | undefined;
    };
    readonly body: {
      readonly format: 'csv' | 'pain.001.001.09';
      readonly timeZone: string;
      readonly payer: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly number: string;
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
      };
      readonly csv?: {
        readonly encoding: 'utf-8' | 'windows-1252';
        readonly lineEnd: 'lf' | 'crlf';
        readonly separator: ',' | ';' | '	' | '|';
        readonly quoting: 'always' | 'needed' | 'never';
        readonly header: boolean;
        readonly decimal: '.' | ',';
        readonly days: 'YYYYMMDD' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'DDMMYYYY';
        readonly columns: readonly {
          readonly name: string;
          readonly field?: 'file' | 'row' | 'payOn' | 'settlement' | 'merchant' | 'amount' | 'amountMinor' | 'currency' | 'bankCode' | 'bankName' | 'accountType' | 'accountNumber' | 'holderName' | 'holderDocumentType' | 'holderDocument' | 'payerBankCode' | 'payerBankName' | 'payerAccountType' | 'payerAccountNumber' | 'payerName' | 'payerDocumentType' | 'payerDocument' | undefined;
          readonly text?: string | undefined;
          readonly codes?: Readonly<Record<string, string>> | undefined;
          readonly width?: number | undefined;
          readonly pad?: string | undefined;
          readonly padAt?: 'start' | 'end' | undefined;
        }[];
      } | undefined;
    };
    readonly answer: {
      readonly layout: string;
      readonly version: number;
      readonly setAt: string;
      readonly format: 'csv' | 'pain.001.001.09';
      readonly timeZone: string;
      readonly payer: {
        readonly bankCode: string;
        readonly bankName: string;
        readonly type: 'savings' | 'checking' | 'deposit';
        readonly number: string;
        readonly holderName: string;
        readonly holderDocumentType: string;
        readonly holderDocument: string;
      };
      readonly csv?: {
        readonly encoding: 'utf-8' | 'windows-1252';
        readonly lineEnd: 'lf' | 'crlf';
        readonly separator: ',' | ';' | '	' | '|';
        readonly quoting: 'always' | 'needed' | 'never';
        readonly header: boolean;
        readonly decimal: '.' | ',';
        readonly days: 'YYYYMMDD' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'DDMMYYYY';
        readonly columns: readonly {
          readonly name: string;
          readonly field?: 'file' | 'row' | 'payOn' | 'settlement' | 'merchant' | 'amount' | 'amountMinor' | 'currency' | 'bankCode' | 'bankName' | 'accountType' | 'accountNumber' | 'holderName' | 'holderDocumentType' | 'holderDocument' | 'payerBankCode' | 'payerBankName' | 'payerAccountType' | 'payerAccountNumber' | 'payerName' | 'payerDocumentType' | 'payerDocument' | undefined;
          readonly text?: string | undefined;
          readonly codes?: Readonly<Record<string, string>> | undefined;
          readonly width?: number | undefined;
          readonly pad?: string | undefined;
          readonly padAt?: 'start' | 'end' | undefined;
        }[];
      } | undefined;
      readonly sample: string;
    };
  };
  readonly listSettlementFiles: {
    readonly path: Nothing;
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly file: string;
      readonly cell: string;
      readonly layout: string;
      readonly layoutVersion: number;
      readonly format: 'csv' | 'pain.001.001.09';
      readonly payOn: string;
      readonly payments: number;
      readonly total: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly sha256: string;
      readonly madeAt: string;
    }[]; readonly next: string | null };
  };
  readonly readSettlementFile: {
    readonly path: {
      readonly file: string;
    };
    readonly query: {
      readonly cell?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly file: string;
      readonly cell: string;
      readonly layout: string;
      readonly layoutVersion: number;
      readonly format: 'csv' | 'pain.001.001.09';
      readonly payOn: string;
      readonly payments: number;
      readonly total: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly sha256: string;
      readonly madeAt: string;
      readonly settlements: readonly string[];
      readonly content: string;
    };
  };
  readonly makeSettlementFile: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly file?: string | undefined;
      readonly layout: string;
      readonly currency: string;
      readonly settlements?: readonly string[] | undefined;
      readonly payOn?: string | undefined;
      readonly cell?: string | undefined;
    };
    readonly answer: {
      readonly file: string;
      readonly cell: string;
      readonly layout: string;
      readonly layoutVersion: number;
      readonly format: 'csv' | 'pain.001.001.09';
      readonly payOn: string;
      readonly payments: number;
      readonly total: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly sha256: string;
      readonly madeAt: string;
      readonly settlements: readonly string[];
      readonly content: string;
      readonly isRepeated: boolean;
      readonly isMore: boolean;
    };
  };
  readonly recordSettlementResults: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly csv: string;
      readonly preview?: boolean | undefined;
    };
    readonly answer: {
      readonly isRecorded: boolean;
      readonly isRepeated: boolean;
      readonly results: readonly {
        readonly settlement: string;
        readonly merchant: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly result: 'paid' | 'returned';
        readonly isRepeated: boolean;
      }[];
      readonly faults: readonly {
        readonly line: number;
        readonly rule: string;
      }[];
    };
  };
  readonly listNotices: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: 'waiting' | 'delivered' | 'given_up' | undefined;
      readonly kind?: readonly ('order' | 'cashout' | 'settlement' | 'test')[] | undefined;
      readonly writtenFrom?: string | undefined;
      readonly writtenTo?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly merchant: string;
      readonly kind: 'order' | 'cashout' | 'settlement' | 'test';
      readonly subject: string;
      readonly status: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: 'waiting' | 'delivered' | 'given_up';
      readonly attempts: number;
      readonly writtenAt: string;
      readonly attemptedAt: string | null;
      readonly dueAt: string | null;
      readonly giveUpAt: string;
      readonly deliveredAt: string | null;
      readonly answerStatus: number | null;
      readonly answer: string | null;
      readonly problem: string | null;
    }[]; readonly next: string | null };
  };
  readonly summarizeNotices: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: 'waiting' | 'delivered' | 'given_up' | undefined;
      readonly kind?: readonly ('order' | 'cashout' | 'settlement' | 'test')[] | undefined;
      readonly writtenFrom?: string | undefined;
      readonly writtenTo?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly isWhole: boolean;
      readonly count: number;
      readonly states: readonly {
        readonly state: 'waiting' | 'delivered' | 'given_up';
        readonly count: number;
      }[];
    };
  };
  readonly readNotice: {
    readonly path: {
      readonly notice: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly id: string;
      readonly merchant: string;
      readonly kind: 'order' | 'cashout' | 'settlement' | 'test';
      readonly subject: string;
      readonly status: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: 'waiting' | 'delivered' | 'given_up';
      readonly attempts: number;
      readonly writtenAt: string;
      readonly attemptedAt: string | null;
      readonly dueAt: string | null;
      readonly giveUpAt: string;
      readonly deliveredAt: string | null;
      readonly answerStatus: number | null;
      readonly answer: string | null;
      readonly problem: string | null;
      readonly body: string | null;
      readonly attemptList: readonly {
        readonly attempt: number;
        readonly at: string;
        readonly answerStatus: number | null;
        readonly answer: string | null;
        readonly problem: string | null;
      }[];
    };
  };
  readonly readNoticeRequest: {
    readonly path: {
      readonly notice: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly id: string;
      readonly merchant: string;
      readonly kind: 'order' | 'cashout' | 'settlement' | 'test';
      readonly subject: string;
      readonly status: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: 'waiting' | 'delivered' | 'given_up';
      readonly attempts: number;
      readonly writtenAt: string;
      readonly attemptedAt: string | null;
      readonly dueAt: string | null;
      readonly giveUpAt: string;
      readonly deliveredAt: string | null;
      readonly answerStatus: number | null;
      readonly answer: string | null;
      readonly problem: string | null;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    };
  };
  readonly listNoticeEndpoints: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly waiting: number;
      readonly oldestAt: string | null;
      readonly failingSince: string | null;
      readonly problem: string | null;
      readonly pausedAt: string | null;
      readonly pausedBy: 'service' | 'operator' | null;
      readonly probeAt: string | null;
    }[]; readonly next: string | null };
  };
  readonly sendTestNotice: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly notice: string;
    };
  };
  readonly redeliverNotice: {
    readonly path: {
      readonly notice: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly redeliverNotices: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly since: string;
      readonly merchant?: string | undefined;
      readonly onlyFailed?: boolean | undefined;
      readonly after?: string | undefined;
    };
    readonly answer: {
      readonly notices: number;
      readonly next: string | null;
    };
  };
  readonly sendNoticeNow: {
    readonly path: {
      readonly notice: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly earlier: number;
    };
  };
  readonly pauseNoticeEndpoint: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly resumeNoticeEndpoint: {
    readonly path: {
      readonly merchant: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly wasPaused: boolean;
    };
  };
  readonly listMessages: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly subject?: string | undefined;
      readonly state?: 'pending' | 'sent' | 'given_up' | 'kept' | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly merchant: string;
      readonly subject: string;
      readonly kind: 'order_created' | 'order_paid' | 'one_time_password';
      readonly channel: 'mail' | 'sms';
      readonly state: 'pending' | 'sent' | 'given_up' | 'kept';
      readonly attempts: number;
      readonly problem: string | null;
      readonly createdAt: string;
      readonly endedAt: string | null;
    }[]; readonly next: string | null };
  };
  readonly summarizeMessages: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly subject?: string | undefined;
      readonly state?: 'pending' | 'sent' | 'given_up' | 'kept' | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly isWhole: boolean;
      readonly count: number;
      readonly states: readonly {
        readonly state: 'pending' | 'sent' | 'given_up' | 'kept';
        readonly count: number;
      }[];
    };
  };
  readonly countMessages: {
    readonly path: Nothing;
    readonly query: {
      readonly failed?: boolean | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly counts: readonly {
        readonly channel: 'mail' | 'sms';
        readonly kind: 'order_created' | 'order_paid' | 'one_time_password' | 'user_link' | 'user_alert';
        readonly state: 'pending' | 'sent' | 'given_up' | 'kept';
        readonly problem: string | null;
        readonly messages: number;
        readonly newestAt: string;
      }[];
    };
  };
  readonly sendMessageNow: {
    readonly path: {
      readonly message: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly listOrders: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: readonly ('pending' | 'approved' | 'expired' | 'cancelled' | 'voided')[] | undefined;
      readonly order?: string | undefined;
      readonly serviceOrderId?: string | undefined;
      readonly reference?: string | undefined;
      readonly email?: string | undefined;
      readonly document?: string | undefined;
      readonly currency?: string | undefined;
      readonly amountFrom?: string | undefined;
      readonly amountTo?: string | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
      readonly updatedFrom?: string | undefined;
      readonly updatedTo?: string | undefined;
      readonly paidFrom?: string | undefined;
      readonly paidTo?: string | undefined;
      readonly network?: string | undefined;
      readonly transaction?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly reference: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly createdAt: string;
      readonly updatedAt: string;
    }[]; readonly next: string | null };
  };
  readonly summarizeOrders: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: readonly ('pending' | 'approved' | 'expired' | 'cancelled' | 'voided')[] | undefined;
      readonly order?: string | undefined;
      readonly serviceOrderId?: string | undefined;
      readonly reference?: string | undefined;
      readonly email?: string | undefined;
      readonly document?: string | undefined;
      readonly currency?: string | undefined;
      readonly amountFrom?: string | undefined;
      readonly amountTo?: string | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
      readonly updatedFrom?: string | undefined;
      readonly updatedTo?: string | undefined;
      readonly paidFrom?: string | undefined;
      readonly paidTo?: string | undefined;
      readonly network?: string | undefined;
      readonly transaction?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly isWhole: boolean;
      readonly count: number;
      readonly amounts: readonly {
        readonly amount: string;
        readonly currency: string;
      }[];
      readonly states: readonly {
        readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
        readonly count: number;
        readonly amounts: readonly {
          readonly amount: string;
          readonly currency: string;
        }[];
      }[];
    };
  };
  readonly readLastPaid: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly orders: readonly {
        readonly merchant: string;
        readonly order: string;
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly paidAt: string;
      }[];
    };
  };
  readonly listCashoutsByFilter: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: readonly ('pending' | 'approved' | 'expired' | 'cancelled' | 'nullified')[] | undefined;
      readonly cashout?: string | undefined;
      readonly document?: string | undefined;
      readonly cellphone?: string | undefined;
      readonly currency?: string | undefined;
      readonly amountFrom?: string | undefined;
      readonly amountTo?: string | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
      readonly updatedFrom?: string | undefined;
      readonly updatedTo?: string | undefined;
      readonly paidFrom?: string | undefined;
      readonly paidTo?: string | undefined;
      readonly network?: string | undefined;
      readonly transaction?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly merchant: string;
      readonly cashout: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
      readonly version: number;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly document: string;
      readonly cellphone: string;
      readonly expiresOn: string;
      readonly createdAt: string;
      readonly updatedAt: string;
    }[]; readonly next: string | null };
  };
  readonly summarizeCashouts: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly state?: readonly ('pending' | 'approved' | 'expired' | 'cancelled' | 'nullified')[] | undefined;
      readonly cashout?: string | undefined;
      readonly document?: string | undefined;
      readonly cellphone?: string | undefined;
      readonly currency?: string | undefined;
      readonly amountFrom?: string | undefined;
      readonly amountTo?: string | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
      readonly updatedFrom?: string | undefined;
      readonly updatedTo?: string | undefined;
      readonly paidFrom?: string | undefined;
      readonly paidTo?: string | undefined;
      readonly network?: string | undefined;
      readonly transaction?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly isWhole: boolean;
      readonly count: number;
      readonly amounts: readonly {
        readonly amount: string;
        readonly currency: string;
      }[];
      readonly states: readonly {
        readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
        readonly count: number;
        readonly amounts: readonly {
          readonly amount: string;
          readonly currency: string;
        }[];
      }[];
    };
  };
  readonly search: {
    readonly path: Nothing;
    readonly query: {
      readonly text: string;
      readonly merchant?: string | undefined;
      readonly state?: readonly ('pending' | 'approved' | 'expired' | 'cancelled' | 'voided' | 'nullified')[] | undefined;
      readonly network?: string | undefined;
      readonly currency?: string | undefined;
      readonly amountFrom?: string | undefined;
      readonly amountTo?: string | undefined;
      readonly createdFrom?: string | undefined;
      readonly createdTo?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly orders: readonly {
        readonly merchant: string;
        readonly order: string;
        readonly serviceOrderId: string;
        readonly reference: string;
        readonly email: string;
        readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly createdAt: string;
        readonly foundIn: readonly string[];
        readonly isWhole: boolean;
      }[];
      readonly cashouts: readonly {
        readonly merchant: string;
        readonly cashout: string;
        readonly document: string;
        readonly cellphone: string;
        readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'nullified';
        readonly amount: {
          readonly amount: string;
          readonly currency: string;
        };
        readonly createdAt: string;
        readonly foundIn: readonly string[];
        readonly isWhole: boolean;
      }[];
      readonly isMore: boolean;
    };
  };
  readonly signIn: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly email: string;
      readonly password: string;
      readonly code: string;
    };
    readonly answer: {
      readonly id: string;
    };
  };
  readonly listSessions: {
    readonly path: Nothing;
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly createdAt: string;
      readonly seenAt: string;
      readonly endsAt: string;
      readonly address: string;
      readonly browser: string;
      readonly isThis: boolean;
    }[]; readonly next: string | null };
  };
  readonly endSession: {
    readonly path: {
      readonly session: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly endSessions: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly proveAgain: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly code?: string | undefined;
      readonly password?: string | undefined;
    };
    readonly answer: undefined;
  };
  readonly changePassword: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly password: string;
    };
    readonly answer: undefined;
  };
  readonly offerCodes: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly key: string;
      readonly uri: string;
    };
  };
  readonly confirmCodes: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly code: string;
    };
    readonly answer: undefined;
  };
  readonly renewRecoveryCodes: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly recoveryCodes: readonly string[];
    };
  };
  readonly listViews: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly views: readonly {
        readonly id: string;
        readonly name: string;
        readonly address: string;
        readonly createdAt: string;
      }[];
    };
  };
  readonly saveView: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly name: string;
      readonly address: string;
    };
    readonly answer: {
      readonly id: string;
      readonly name: string;
      readonly address: string;
      readonly createdAt: string;
    };
  };
  readonly deleteView: {
    readonly path: {
      readonly view: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly listUsers: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly email?: string | undefined;
      readonly state?: 'invited' | 'active' | 'disabled' | undefined;
      readonly role?: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer' | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly email: string;
      readonly name: string;
      readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer';
      readonly merchant: string | null;
      readonly language: 'es' | 'en' | 'pt';
      readonly state: 'invited' | 'active' | 'disabled';
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
    }[]; readonly next: string | null };
  };
  readonly readUser: {
    readonly path: {
      readonly user: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly id: string;
      readonly email: string;
      readonly name: string;
      readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer';
      readonly merchant: string | null;
      readonly language: 'es' | 'en' | 'pt';
      readonly state: 'invited' | 'active' | 'disabled';
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly recoveryCodes: number | null;
      readonly sessions: readonly {
        readonly id: string;
        readonly createdAt: string;
        readonly seenAt: string;
        readonly endsAt: string;
        readonly address: string;
        readonly browser: string;
      }[] | null;
    };
  };
  readonly inviteUser: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly email: string;
      readonly name: string;
      readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer';
      readonly merchant?: string | null | undefined;
      readonly language: 'es' | 'en' | 'pt';
    };
    readonly answer: {
      readonly user: {
        readonly id: string;
        readonly email: string;
        readonly name: string;
        readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer';
        readonly merchant: string | null;
        readonly language: 'es' | 'en' | 'pt';
        readonly state: 'invited' | 'active' | 'disabled';
        readonly version: number;
        readonly createdAt: string;
        readonly updatedAt: string;
      };
      readonly link: string | null;
      readonly linkEndsAt: string;
    };
  };
  readonly changeUser: {
    readonly path: {
      readonly user: string;
    };
    readonly query: Nothing;
    readonly body: {
      readonly name?: string | undefined;
      readonly role?: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer' | undefined;
      readonly merchant?: string | null | undefined;
      readonly language?: 'es' | 'en' | 'pt' | undefined;
      readonly state?: 'active' | 'disabled' | undefined;
    };
    readonly answer: {
      readonly id: string;
      readonly email: string;
      readonly name: string;
      readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer';
      readonly merchant: string | null;
      readonly language: 'es' | 'en' | 'pt';
      readonly state: 'invited' | 'active' | 'disabled';
      readonly version: number;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly resetUser: {
    readonly path: {
      readonly user: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly user: {
        readonly id: string;
        readonly email: string;
        readonly name: string;
        readonly role: 'owner' | 'operations' | 'finance' | 'support' | 'auditor' | 'administrator' | 'clerk' | 'viewer';
        readonly merchant: string | null;
        readonly language: 'es' | 'en' | 'pt';
        readonly state: 'invited' | 'active' | 'disabled';
        readonly version: number;
        readonly createdAt: string;
        readonly updatedAt: string;
      };
      readonly link: string | null;
      readonly linkEndsAt: string;
    };
  };
  readonly signOutUser: {
    readonly path: {
      readonly user: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly ended: number;
    };
  };
  readonly listTokens: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly name: string;
      readonly permissions: readonly ('orders:read' | 'orders:write' | 'payments:write' | 'refunds:write' | 'cashouts:read' | 'cashouts:write' | 'merchants:read' | 'merchants:write' | 'secrets:write' | 'networks:read' | 'networks:write' | 'ledger:read' | 'ledger:write' | 'funds:write' | 'settlements:write' | 'notices:read' | 'notices:send' | 'messages:read' | 'figures:read' | 'exports:read' | 'sandbox:use' | 'users:read' | 'users:write' | 'tokens:write' | 'audit:read' | 'people:write')[];
      readonly merchant: string | null;
      readonly madeBy: string | null;
      readonly createdAt: string;
      readonly endsAt: string;
      readonly lastUsedAt: string | null;
    }[]; readonly next: string | null };
  };
  readonly createToken: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly name: string;
      readonly permissions: readonly ('orders:read' | 'orders:write' | 'payments:write' | 'refunds:write' | 'cashouts:read' | 'cashouts:write' | 'merchants:read' | 'merchants:write' | 'secrets:write' | 'networks:read' | 'networks:write' | 'ledger:read' | 'ledger:write' | 'funds:write' | 'settlements:write' | 'notices:read' | 'notices:send' | 'messages:read' | 'figures:read' | 'exports:read' | 'sandbox:use' | 'users:read' | 'users:write' | 'tokens:write' | 'audit:read' | 'people:write')[];
      readonly merchant?: string | null | undefined;
      readonly days: number;
    };
    readonly answer: {
      readonly id: string;
      readonly token?: string | undefined;
      readonly endsAt: string;
    };
  };
  readonly endToken: {
    readonly path: {
      readonly token: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly id: string;
      readonly name: string;
    };
  };
  readonly exportPerson: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly document?: string | undefined;
      readonly email?: string | undefined;
    };
    readonly answer: Blob;
  };
  readonly erasePerson: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly document?: string | undefined;
      readonly email?: string | undefined;
    };
    readonly answer: {
      readonly pseudonym: string | null;
      readonly erased: Readonly<Record<string, number>>;
      readonly left: readonly {
        readonly kind: string;
        readonly merchant: string;
        readonly id: string;
      }[];
    };
  };
  readonly exportList: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly list: 'orders' | 'cashouts' | 'payments' | 'refunds' | 'entries' | 'settlements' | 'notices' | 'acts';
      readonly format: 'csv-safe' | 'csv' | 'ndjson' | 'csv-es' | 'csv-en' | 'csv-pt';
      readonly merchant?: string | undefined;
      readonly filter?: {
        readonly from?: string | undefined;
        readonly to?: string | undefined;
        readonly state?: string | undefined;
        readonly order?: string | undefined;
        readonly serviceOrderId?: string | undefined;
        readonly email?: string | undefined;
        readonly document?: string | undefined;
        readonly reference?: string | undefined;
        readonly updatedFrom?: string | undefined;
        readonly updatedTo?: string | undefined;
        readonly paidFrom?: string | undefined;
        readonly paidTo?: string | undefined;
        readonly network?: string | undefined;
        readonly transaction?: string | undefined;
        readonly currency?: string | undefined;
        readonly amountFrom?: string | undefined;
        readonly amountTo?: string | undefined;
        readonly cashout?: string | undefined;
        readonly cellphone?: string | undefined;
        readonly createdFrom?: string | undefined;
        readonly createdTo?: string | undefined;
        readonly source?: string | undefined;
        readonly account?: string | undefined;
        readonly settlement?: string | undefined;
        readonly kind?: string | undefined;
        readonly actor?: string | undefined;
        readonly operation?: string | undefined;
        readonly only?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly export: string;
      readonly list: string;
      readonly format: 'csv-safe' | 'csv' | 'ndjson' | 'csv-es' | 'csv-en' | 'csv-pt';
      readonly merchant: string | null;
      readonly filter: Readonly<Record<string, string>>;
      readonly state: 'waiting' | 'writing' | 'done' | 'failed';
      readonly madeAt: string;
      readonly rowsWritten: number;
      readonly rowsTotal: number | null;
      readonly bytes: number;
      readonly trailer: Readonly<Record<string, unknown>> | null;
      readonly failure: 'too_large' | 'interrupted' | null;
      readonly endedAt: string | null;
    };
  };
  readonly listExports: {
    readonly path: Nothing;
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly export: string;
      readonly list: string;
      readonly format: 'csv-safe' | 'csv' | 'ndjson' | 'csv-es' | 'csv-en' | 'csv-pt';
      readonly merchant: string | null;
      readonly filter: Readonly<Record<string, string>>;
      readonly state: 'waiting' | 'writing' | 'done' | 'failed';
      readonly madeAt: string;
      readonly rowsWritten: number;
      readonly rowsTotal: number | null;
      readonly bytes: number;
      readonly trailer: Readonly<Record<string, unknown>> | null;
      readonly failure: 'too_large' | 'interrupted' | null;
      readonly endedAt: string | null;
    }[]; readonly next: string | null };
  };
  readonly readExport: {
    readonly path: {
      readonly export: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly export: string;
      readonly list: string;
      readonly format: 'csv-safe' | 'csv' | 'ndjson' | 'csv-es' | 'csv-en' | 'csv-pt';
      readonly merchant: string | null;
      readonly filter: Readonly<Record<string, string>>;
      readonly state: 'waiting' | 'writing' | 'done' | 'failed';
      readonly madeAt: string;
      readonly rowsWritten: number;
      readonly rowsTotal: number | null;
      readonly bytes: number;
      readonly trailer: Readonly<Record<string, unknown>> | null;
      readonly failure: 'too_large' | 'interrupted' | null;
      readonly endedAt: string | null;
    };
  };
  readonly downloadExport: {
    readonly path: {
      readonly export: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: Blob;
  };
  readonly deleteExport: {
    readonly path: {
      readonly export: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly expireOrder: {
    readonly path: {
      readonly merchant: string;
      readonly order: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly serviceOrderId: string;
      readonly state: 'pending' | 'approved' | 'expired' | 'cancelled' | 'voided';
      readonly version: number;
      readonly email: string;
      readonly country: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly reference: string;
      readonly description: string | null;
      readonly method: string | null;
      readonly language: 'es' | 'en' | 'pt' | null;
      readonly recurrent: boolean;
      readonly expiresOn: string;
      readonly expiresAt: string | null;
      readonly vatRate: string | null;
      readonly userDocument: string | null;
      readonly userDocumentType: string | null;
      readonly userName: string | null;
      readonly redirectTimeoutMs: number | null;
      readonly payments: number;
      readonly paymentsGivenBack: number;
      readonly checkoutUrl: string;
      readonly createdAt: string;
      readonly updatedAt: string;
    };
  };
  readonly readClock: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly now: string;
      readonly ahead: string;
    };
  };
  readonly moveClock: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly now?: string | undefined;
      readonly advance?: string | undefined;
    };
    readonly answer: {
      readonly now: string;
      readonly ahead: string;
    };
  };
  readonly simulatePayment: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly reference: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly transaction: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: string;
    };
  };
  readonly reverseSimulatedPayment: {
    readonly path: {
      readonly transaction: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly order: string;
      readonly transaction: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: string;
    };
  };
  readonly simulateCollection: {
    readonly path: Nothing;
    readonly query: Nothing;
    readonly body: {
      readonly document: string;
      readonly oneTimePassword: string;
    };
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly transaction: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: string;
    };
  };
  readonly reverseSimulatedCollection: {
    readonly path: {
      readonly transaction: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly merchant: string;
      readonly operation: string;
      readonly transaction: string;
      readonly amount: {
        readonly amount: string;
        readonly currency: string;
      };
      readonly state: string;
    };
  };
  readonly listInbox: {
    readonly path: Nothing;
    readonly query: {
      readonly merchant?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: { readonly items: readonly {
      readonly id: string;
      readonly channel: 'mail' | 'sms' | 'notice';
      readonly merchant: string;
      readonly about: string;
      readonly kind: string;
      readonly at: string;
      readonly state: string;
      readonly problem: string | null;
      readonly to: string | null;
      readonly subject: string | null;
      readonly text: string | null;
      readonly otp: string | null;
      readonly headers: Readonly<Record<string, string>> | null;
      readonly html: string | null;
      readonly answer: {
        readonly status: number;
        readonly text: string;
      } | null;
    }[]; readonly next: string | null };
  };
  readonly readInboxEntry: {
    readonly path: {
      readonly channel: 'mail' | 'sms' | 'notice';
      readonly id: string;
    };
    readonly query: Nothing;
    readonly body: undefined;
    readonly answer: {
      readonly id: string;
      readonly channel: 'mail' | 'sms' | 'notice';
      readonly merchant: string;
      readonly about: string;
      readonly kind: string;
      readonly at: string;
      readonly state: string;
      readonly problem: string | null;
      readonly to: string | null;
      readonly subject: string | null;
      readonly text: string | null;
      readonly otp: string | null;
      readonly headers: Readonly<Record<string, string>> | null;
      readonly html: string | null;
      readonly answer: {
        readonly status: number;
        readonly text: string;
      } | null;
    };
  };
};

/** How each operation is called, and who may call it. */
export const ROUTES = {
  readMe: {"route":"GET /manage/v1/me","permission":"signed-in","scope":"own"},
  readOrder: {"route":"GET /manage/v1/orders/{merchant}/{order}","permission":"orders:read","scope":"merchant"},
  createOrder: {"route":"POST /manage/v1/orders","permission":"orders:write","scope":"merchant","isKeyed":true},
  updateOrder: {"route":"PATCH /manage/v1/orders/{merchant}/{order}","permission":"orders:write","scope":"merchant","ifMatch":"required"},
  cancelOrder: {"route":"POST /manage/v1/orders/{merchant}/{order}/cancel","permission":"orders:write","scope":"merchant","ifMatch":"optional"},
  voidOrder: {"route":"POST /manage/v1/orders/{merchant}/{order}/void","permission":"payments:write","scope":"merchant"},
  listRefunds: {"route":"GET /manage/v1/refunds","permission":"orders:read","scope":"merchant"},
  readRefund: {"route":"GET /manage/v1/refunds/{merchant}/{refund}","permission":"orders:read","scope":"merchant"},
  requestRefund: {"route":"POST /manage/v1/orders/{merchant}/{order}/refunds","permission":"refunds:write","scope":"merchant","isKeyed":true},
  approveRefund: {"route":"POST /manage/v1/refunds/{merchant}/{refund}/approve","permission":"payments:write","scope":"service"},
  payRefund: {"route":"POST /manage/v1/refunds/{merchant}/{refund}/pay","permission":"payments:write","scope":"service"},
  failRefund: {"route":"POST /manage/v1/refunds/{merchant}/{refund}/fail","permission":"payments:write","scope":"service"},
  cancelRefund: {"route":"POST /manage/v1/refunds/{merchant}/{refund}/cancel","permission":"refunds:write","scope":"merchant"},
  registerRefundCashout: {"route":"POST /manage/v1/refunds/{merchant}/{refund}/cashout","permission":"cashouts:write","scope":"merchant","isKeyed":true},
  listRefusedPayments: {"route":"GET /manage/v1/refused-payments","permission":"orders:read","scope":"merchant"},
  readRefusedBeyond: {"route":"GET /manage/v1/refused-payments/beyond","permission":"orders:read","scope":"service"},
  resolveRefusedPayments: {"route":"POST /manage/v1/orders/{merchant}/{order}/resolve","permission":"payments:write","scope":"service"},
  showOrderPage: {"route":"GET /manage/v1/orders/{merchant}/{order}/page","permission":"orders:read","scope":"merchant","streams":"text/html; charset=utf-8"},
  listPageViews: {"route":"GET /manage/v1/orders/{merchant}/{order}/page-views","permission":"orders:read","scope":"merchant"},
  readCashout: {"route":"GET /manage/v1/cashouts/{merchant}/{operation}","permission":"cashouts:read","scope":"merchant"},
  registerCashout: {"route":"POST /manage/v1/cashouts","permission":"cashouts:write","scope":"merchant","isKeyed":true},
  cancelCashout: {"route":"POST /manage/v1/cashouts/{merchant}/{operation}/cancel","permission":"cashouts:write","scope":"merchant"},
  nullifyCashout: {"route":"POST /manage/v1/cashouts/{merchant}/{operation}/nullify","permission":"cashouts:write","scope":"service"},
  unlockCashout: {"route":"POST /manage/v1/cashouts/{merchant}/{operation}/unlock","permission":"cashouts:write","scope":"service"},
  resendOneTimePassword: {"route":"POST /manage/v1/cashouts/{merchant}/{operation}/resend","permission":"notices:send","scope":"merchant","isKeyed":true},
  readCashoutLimits: {"route":"GET /manage/v1/merchants/{merchant}/cashout-limits","permission":"merchants:read","scope":"merchant"},
  changeCashoutLimits: {"route":"PATCH /manage/v1/merchants/{merchant}/cashout-limits/{currency}","permission":"merchants:write","scope":"service"},
  streamEvents: {"route":"GET /manage/v1/events","permission":"signed-in","scope":"merchant","streams":"text/event-stream"},
  readFigures: {"route":"GET /manage/v1/figures","permission":"figures:read","scope":"merchant"},
  readRefusedFigures: {"route":"GET /manage/v1/figures/refused-payments","permission":"figures:read","scope":"merchant"},
  listMerchants: {"route":"GET /manage/v1/merchants","permission":"merchants:read","scope":"merchant"},
  readMerchant: {"route":"GET /manage/v1/merchants/{merchant}","permission":"merchants:read","scope":"merchant"},
  listCountries: {"route":"GET /manage/v1/countries","permission":"signed-in","scope":"merchant"},
  createMerchant: {"route":"POST /manage/v1/merchants","permission":"secrets:write","scope":"service","stepUp":true},
  updateMerchant: {"route":"PATCH /manage/v1/merchants/{merchant}","permission":"merchants:write","scope":"service"},
  disableMerchant: {"route":"POST /manage/v1/merchants/{merchant}/disable","permission":"merchants:write","scope":"service"},
  enableMerchant: {"route":"POST /manage/v1/merchants/{merchant}/enable","permission":"merchants:write","scope":"service"},
  freezeMerchant: {"route":"POST /manage/v1/merchants/{merchant}/freeze","permission":"merchants:write","scope":"service"},
  thawMerchant: {"route":"POST /manage/v1/merchants/{merchant}/thaw","permission":"merchants:write","scope":"service"},
  setReplayGuard: {"route":"PUT /manage/v1/merchants/{merchant}/replay-guard","permission":"merchants:write","scope":"service"},
  setStrictAmounts: {"route":"PUT /manage/v1/merchants/{merchant}/strict-amounts","permission":"merchants:write","scope":"service"},
  setLetterDocuments: {"route":"PUT /manage/v1/merchants/{merchant}/letter-documents","permission":"merchants:write","scope":"service"},
  setUpdateNotices: {"route":"PUT /manage/v1/merchants/{merchant}/update-notices","permission":"merchants:write","scope":"service"},
  setKeptFees: {"route":"PUT /manage/v1/merchants/{merchant}/kept-fees","permission":"merchants:write","scope":"service"},
  setEmptyEmails: {"route":"PUT /manage/v1/merchants/{merchant}/empty-emails","permission":"merchants:write","scope":"service"},
  setNoticeChecksum: {"route":"PUT /manage/v1/merchants/{merchant}/notice-checksum","permission":"merchants:write","scope":"service"},
  setOpenAmounts: {"route":"PUT /manage/v1/merchants/{merchant}/open-amounts","permission":"merchants:write","scope":"service"},
  setMerchantLimits: {"route":"PUT /manage/v1/merchants/{merchant}/limits","permission":"merchants:write","scope":"service"},
  setMerchantSigning: {"route":"PUT /manage/v1/merchants/{merchant}/signing","permission":"secrets:write","scope":"service","stepUp":true},
  setNoticeUrl: {"route":"PUT /manage/v1/merchants/{merchant}/notice-url","permission":"secrets:write","scope":"merchant","stepUp":true},
  setReturnUrl: {"route":"PUT /manage/v1/merchants/{merchant}/return-url","permission":"secrets:write","scope":"merchant","stepUp":true},
  rotateFixedHash: {"route":"POST /manage/v1/merchants/{merchant}/rotate-fixed-hash","permission":"secrets:write","scope":"merchant","stepUp":true,"isKeyed":true},
  rotateNoticeHash: {"route":"POST /manage/v1/merchants/{merchant}/rotate-notice-hash","permission":"secrets:write","scope":"merchant","stepUp":true,"isKeyed":true},
  rotateSigningSecret: {"route":"POST /manage/v1/merchants/{merchant}/rotate-signing-secret","permission":"secrets:write","scope":"merchant","stepUp":true,"isKeyed":true},
  listCells: {"route":"GET /manage/v1/cells","permission":"merchants:read","scope":"service"},
  placeMerchant: {"route":"PUT /manage/v1/merchants/{merchant}/cell","permission":"merchants:write","scope":"service"},
  readRequests: {"route":"GET /manage/v1/merchants/{merchant}/requests","permission":"merchants:read","scope":"merchant"},
  readMerchantBrand: {"route":"GET /manage/v1/merchants/{merchant}/brand","permission":"merchants:read","scope":"merchant"},
  setMerchantBrand: {"route":"PATCH /manage/v1/merchants/{merchant}/brand","permission":"merchants:write","scope":"service"},
  readNetworkBrand: {"route":"GET /manage/v1/networks/{netname}/brand","permission":"networks:read","scope":"service"},
  setNetworkBrand: {"route":"PATCH /manage/v1/networks/{netname}/brand","permission":"networks:write","scope":"service"},
  listActs: {"route":"GET /manage/v1/audit","permission":"audit:read","scope":"service"},
  summarizeActs: {"route":"GET /manage/v1/audit/summary","permission":"audit:read","scope":"service"},
  readAct: {"route":"GET /manage/v1/audit/{act}","permission":"audit:read","scope":"service"},
  listChain: {"route":"GET /manage/v1/audit/chain","permission":"audit:read","scope":"service","isAudited":true},
  readChainEnds: {"route":"GET /manage/v1/audit/chain/ends","permission":"audit:read","scope":"service"},
  listNetworks: {"route":"GET /manage/v1/networks","permission":"networks:read","scope":"service"},
  readNetwork: {"route":"GET /manage/v1/networks/{netname}","permission":"networks:read","scope":"service"},
  createNetwork: {"route":"POST /manage/v1/networks","permission":"secrets:write","scope":"service","stepUp":true},
  setNetworkServes: {"route":"PUT /manage/v1/networks/{netname}/serves","permission":"networks:write","scope":"service"},
  setNetworkAddresses: {"route":"PUT /manage/v1/networks/{netname}/addresses","permission":"networks:write","scope":"service"},
  setNetworkLimits: {"route":"PUT /manage/v1/networks/{netname}/limits","permission":"networks:write","scope":"service"},
  setNetworkSigning: {"route":"PUT /manage/v1/networks/{netname}/signing","permission":"networks:write","scope":"service","stepUp":true},
  disableNetwork: {"route":"POST /manage/v1/networks/{netname}/disable","permission":"networks:write","scope":"service"},
  enableNetwork: {"route":"POST /manage/v1/networks/{netname}/enable","permission":"networks:write","scope":"service"},
  rotateNetworkSecret: {"route":"POST /manage/v1/networks/{netname}/rotate-secret","permission":"secrets:write","scope":"service","stepUp":true,"isKeyed":true},
  readBalances: {"route":"GET /manage/v1/ledger/balances","permission":"ledger:read","scope":"merchant"},
  listEntries: {"route":"GET /manage/v1/ledger/entries","permission":"ledger:read","scope":"merchant"},
  readFees: {"route":"GET /manage/v1/ledger/{merchant}/fees","permission":"ledger:read","scope":"merchant"},
  readStatement: {"route":"GET /manage/v1/ledger/{merchant}/days/{day}","permission":"ledger:read","scope":"merchant"},
  readFunds: {"route":"GET /manage/v1/ledger/{merchant}/funds","permission":"ledger:read","scope":"merchant"},
  topUp: {"route":"POST /manage/v1/ledger/{merchant}/top-ups","permission":"ledger:write","scope":"service","stepUp":true},
  adjustAccount: {"route":"POST /manage/v1/ledger/{merchant}/adjustments","permission":"ledger:write","scope":"service","stepUp":true,"isKeyed":true},
  setFees: {"route":"PUT /manage/v1/ledger/{merchant}/fees","permission":"ledger:write","scope":"service","stepUp":true},
  moveToFund: {"route":"POST /manage/v1/ledger/{merchant}/moves-to-fund","permission":"funds:write","scope":"merchant","stepUp":true},
  readFundRules: {"route":"GET /manage/v1/ledger/{merchant}/fund-rules","permission":"ledger:read","scope":"merchant"},
  setFundRule: {"route":"PUT /manage/v1/ledger/{merchant}/fund-rules/{currency}","permission":"funds:write","scope":"merchant","stepUp":true},
  endFundRule: {"route":"DELETE /manage/v1/ledger/{merchant}/fund-rules/{currency}","permission":"funds:write","scope":"merchant","stepUp":true},
  listSettlements: {"route":"GET /manage/v1/settlements","permission":"ledger:read","scope":"merchant"},
  showNextSettlement: {"route":"GET /manage/v1/settlements/{merchant}/preview","permission":"ledger:read","scope":"merchant"},
  readSettlement: {"route":"GET /manage/v1/settlements/{merchant}/{settlement}","permission":"ledger:read","scope":"merchant"},
  listSettlementEntries: {"route":"GET /manage/v1/settlements/{merchant}/{settlement}/entries","permission":"ledger:read","scope":"merchant"},
  runSettlement: {"route":"POST /manage/v1/settlements/{merchant}/run","permission":"settlements:write","scope":"service","stepUp":true},
  approveSettlements: {"route":"POST /manage/v1/settlements/approve","permission":"settlements:write","scope":"service","stepUp":true},
  cancelSettlement: {"route":"POST /manage/v1/settlements/{merchant}/{settlement}/cancel","permission":"settlements:write","scope":"service","stepUp":true},
  sendSettlement: {"route":"POST /manage/v1/settlements/{merchant}/{settlement}/sent","permission":"settlements:write","scope":"service","stepUp":true},
  paySettlement: {"route":"POST /manage/v1/settlements/{merchant}/{settlement}/paid","permission":"settlements:write","scope":"service","stepUp":true},
  returnSettlement: {"route":"POST /manage/v1/settlements/{merchant}/{settlement}/returned","permission":"settlements:write","scope":"service","stepUp":true},
  listHolds: {"route":"GET /manage/v1/holds","permission":"ledger:read","scope":"merchant"},
  placeHold: {"route":"POST /manage/v1/holds/{merchant}","permission":"settlements:write","scope":"service","stepUp":true,"isKeyed":true},
  releaseHold: {"route":"POST /manage/v1/holds/{merchant}/{hold}/release","permission":"settlements:write","scope":"service","stepUp":true},
  listSettlementSchedules: {"route":"GET /manage/v1/settlement-schedules","permission":"ledger:read","scope":"merchant"},
  readSettlementSchedule: {"route":"GET /manage/v1/settlement-schedules/{merchant}/{currency}","permission":"ledger:read","scope":"merchant"},
  setSettlementSchedule: {"route":"PATCH /manage/v1/settlement-schedules/{merchant}/{currency}","permission":"merchants:write","scope":"service","stepUp":true},
  listSettlementRules: {"route":"GET /manage/v1/settlement-rules","permission":"ledger:read","scope":"merchant"},
  addSettlementRule: {"route":"POST /manage/v1/settlement-rules","permission":"settlements:write","scope":"service","stepUp":true},
  endSettlementRule: {"route":"POST /manage/v1/settlement-rules/{rule}/end","permission":"settlements:write","scope":"service","stepUp":true},
  listCalendars: {"route":"GET /manage/v1/calendars","permission":"ledger:read","scope":"service"},
  loadCalendar: {"route":"PUT /manage/v1/calendars/{calendar}","permission":"settlements:write","scope":"service","stepUp":true},
  readStatementFile: {"route":"GET /manage/v1/ledger/{merchant}/statements/{period}","permission":"ledger:read","scope":"merchant","streams":"application/pdf"},
  readSettlementStatement: {"route":"GET /manage/v1/settlements/{merchant}/{settlement}/statement","permission":"ledger:read","scope":"merchant","streams":"application/pdf"},
  listBankFileLayouts: {"route":"GET /manage/v1/bank-file-layouts","permission":"ledger:read","scope":"service"},
  readBankFileLayout: {"route":"GET /manage/v1/bank-file-layouts/{layout}","permission":"ledger:read","scope":"service"},
  setBankFileLayout: {"route":"PUT /manage/v1/bank-file-layouts/{layout}","permission":"settlements:write","scope":"service","stepUp":true},
  listSettlementFiles: {"route":"GET /manage/v1/settlement-files","permission":"ledger:read","scope":"service"},
  readSettlementFile: {"route":"GET /manage/v1/settlement-files/{file}","permission":"settlements:write","scope":"service","isAudited":true},
  makeSettlementFile: {"route":"POST /manage/v1/settlement-files","permission":"settlements:write","scope":"service","stepUp":true},
  recordSettlementResults: {"route":"POST /manage/v1/settlement-results","permission":"settlements:write","scope":"service","stepUp":true},
  listNotices: {"route":"GET /manage/v1/notices","permission":"notices:read","scope":"merchant"},
  summarizeNotices: {"route":"GET /manage/v1/notices/summary","permission":"notices:read","scope":"merchant"},
  readNotice: {"route":"GET /manage/v1/notices/{notice}","permission":"notices:read","scope":"merchant"},
  readNoticeRequest: {"route":"GET /manage/v1/notices/{notice}/request","permission":"notices:send","scope":"merchant"},
  listNoticeEndpoints: {"route":"GET /manage/v1/notice-endpoints","permission":"notices:read","scope":"merchant"},
  sendTestNotice: {"route":"POST /manage/v1/notice-endpoints/{merchant}/test","permission":"notices:send","scope":"merchant"},
  redeliverNotice: {"route":"POST /manage/v1/notices/{notice}/redeliver","permission":"notices:send","scope":"merchant"},
  redeliverNotices: {"route":"POST /manage/v1/notices/redeliver","permission":"notices:send","scope":"merchant"},
  sendNoticeNow: {"route":"POST /manage/v1/notices/{notice}/send-now","permission":"notices:send","scope":"merchant"},
  pauseNoticeEndpoint: {"route":"POST /manage/v1/notice-endpoints/{merchant}/pause","permission":"notices:send","scope":"service"},
  resumeNoticeEndpoint: {"route":"POST /manage/v1/notice-endpoints/{merchant}/resume","permission":"notices:send","scope":"service"},
  listMessages: {"route":"GET /manage/v1/messages","permission":"messages:read","scope":"merchant"},
  summarizeMessages: {"route":"GET /manage/v1/messages/summary","permission":"messages:read","scope":"merchant"},
  countMessages: {"route":"GET /manage/v1/messages/counts","permission":"messages:read","scope":"service"},
  sendMessageNow: {"route":"POST /manage/v1/messages/{message}/send-now","permission":"notices:send","scope":"merchant"},
  listOrders: {"route":"GET /manage/v1/orders","permission":"orders:read","scope":"merchant","isAudited":true},
  summarizeOrders: {"route":"GET /manage/v1/orders/summary","permission":"orders:read","scope":"merchant"},
  readLastPaid: {"route":"GET /manage/v1/orders/last-paid","permission":"orders:read","scope":"merchant"},
  listCashoutsByFilter: {"route":"GET /manage/v1/cashouts","permission":"cashouts:read","scope":"merchant","isAudited":true},
  summarizeCashouts: {"route":"GET /manage/v1/cashouts/summary","permission":"cashouts:read","scope":"merchant"},
  search: {"route":"GET /manage/v1/search","permission":"orders:read","scope":"merchant","isAudited":true},
  signIn: {"route":"POST /manage/v1/sessions","permission":"anyone","scope":"own"},
  listSessions: {"route":"GET /manage/v1/sessions","permission":"signed-in","scope":"own"},
  endSession: {"route":"DELETE /manage/v1/sessions/{session}","permission":"signed-in","scope":"own"},
  endSessions: {"route":"DELETE /manage/v1/sessions","permission":"signed-in","scope":"own"},
  proveAgain: {"route":"POST /manage/v1/me/step-up","permission":"signed-in","scope":"own"},
  changePassword: {"route":"PUT /manage/v1/me/password","permission":"signed-in","scope":"own","stepUp":true},
  offerCodes: {"route":"POST /manage/v1/me/codes","permission":"signed-in","scope":"own","stepUp":true},
  confirmCodes: {"route":"PUT /manage/v1/me/codes","permission":"signed-in","scope":"own","stepUp":true},
  renewRecoveryCodes: {"route":"POST /manage/v1/me/recovery-codes","permission":"signed-in","scope":"own","stepUp":true},
  listViews: {"route":"GET /manage/v1/me/views","permission":"signed-in","scope":"own"},
  saveView: {"route":"PUT /manage/v1/me/views","permission":"signed-in","scope":"own"},
  deleteView: {"route":"DELETE /manage/v1/me/views/{view}","permission":"signed-in","scope":"own"},
  listUsers: {"route":"GET /manage/v1/users","permission":"users:read","scope":"merchant","isAudited":true},
  readUser: {"route":"GET /manage/v1/users/{user}","permission":"users:read","scope":"merchant"},
  inviteUser: {"route":"POST /manage/v1/users","permission":"users:write","scope":"merchant","stepUp":true},
  changeUser: {"route":"PATCH /manage/v1/users/{user}","permission":"users:write","scope":"merchant","stepUp":true,"ifMatch":"required"},
  resetUser: {"route":"POST /manage/v1/users/{user}/reset","permission":"users:write","scope":"merchant","stepUp":true},
  signOutUser: {"route":"POST /manage/v1/users/{user}/sign-out","permission":"users:write","scope":"merchant"},
  listTokens: {"route":"GET /manage/v1/tokens","permission":"tokens:write","scope":"merchant"},
  createToken: {"route":"POST /manage/v1/tokens","permission":"tokens:write","scope":"merchant","stepUp":true,"isKeyed":true},
  endToken: {"route":"DELETE /manage/v1/tokens/{token}","permission":"tokens:write","scope":"merchant"},
  exportPerson: {"route":"POST /manage/v1/people/export","permission":"people:write","scope":"service","stepUp":true,"isAudited":true,"streams":"application/json"},
  erasePerson: {"route":"POST /manage/v1/people/erase","permission":"people:write","scope":"service","stepUp":true},
  exportList: {"route":"POST /manage/v1/exports","permission":"exports:read","scope":"merchant","isKeyed":true},
  listExports: {"route":"GET /manage/v1/exports","permission":"exports:read","scope":"own"},
  readExport: {"route":"GET /manage/v1/exports/{export}","permission":"exports:read","scope":"own"},
  downloadExport: {"route":"GET /manage/v1/exports/{export}/content","permission":"exports:read","scope":"own","isAudited":true,"streams":"application/octet-stream"},
  deleteExport: {"route":"DELETE /manage/v1/exports/{export}","permission":"exports:read","scope":"own"},
  expireOrder: {"route":"POST /manage/v1/orders/{merchant}/{order}/expire","permission":"sandbox:use","scope":"merchant","ifMatch":"optional"},
  readClock: {"route":"GET /manage/v1/sandbox/clock","permission":"sandbox:use","scope":"service"},
  moveClock: {"route":"POST /manage/v1/sandbox/clock","permission":"sandbox:use","scope":"service","isKeyed":true},
  simulatePayment: {"route":"POST /manage/v1/sandbox/payments","permission":"sandbox:use","scope":"service","isKeyed":true},
  reverseSimulatedPayment: {"route":"POST /manage/v1/sandbox/payments/{transaction}/reverse","permission":"sandbox:use","scope":"service"},
  simulateCollection: {"route":"POST /manage/v1/sandbox/collections","permission":"sandbox:use","scope":"service"},
  reverseSimulatedCollection: {"route":"POST /manage/v1/sandbox/collections/{transaction}/reverse","permission":"sandbox:use","scope":"service"},
  listInbox: {"route":"GET /manage/v1/sandbox/inbox","permission":"sandbox:use","scope":"service"},
  readInboxEntry: {"route":"GET /manage/v1/sandbox/inbox/{channel}/{id}","permission":"sandbox:use","scope":"service"},
} as const satisfies Readonly<Record<keyof Operations, object>>;
