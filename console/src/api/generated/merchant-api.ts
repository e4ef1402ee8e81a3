// Made by `npm run generate` from the declarations of the operations.

/** A field of a request, with an example. A checksum is not among them. */
export type MerchantField = { readonly name: string; readonly place: 'path' | 'query' | 'body'; readonly example: string; readonly isRequired: boolean };

/** An operation of the merchants' API. `proof`: the fields that its checksum covers, in this order, and then the fixed hash. */
export type MerchantOperation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly MerchantField[];
  readonly proof: readonly string[];
};

export const MERCHANT_OPERATIONS: readonly MerchantOperation[] = [
  {
    "name": "createOrder",
    "method": "POST",
    "path": "/api/v3/porders",
    "fields": [
      {
        "name": "merchant",
        "place": "body",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "email",
        "place": "body",
        "example": "ana@example.com",
        "isRequired": true
      },
      {
        "name": "country",
        "place": "body",
        "example": "343",
        "isRequired": true
      },
      {
        "name": "order",
        "place": "body",
        "example": "A-1001",
        "isRequired": true
      },
      {
        "name": "money",
        "place": "body",
        "example": "COP",
        "isRequired": true
      },
      {
        "name": "amount",
        "place": "body",
        "example": "45000.0",
        "isRequired": true
      }
    ],
    "proof": [
      "email",
      "country",
      "order",
      "money",
      "amount"
    ]
  },
  {
    "name": "updateOrder",
    "method": "PATCH",
    "path": "/api/v3/porders",
    "fields": [
      {
        "name": "merchant",
        "place": "body",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "email",
        "place": "body",
        "example": "ana@example.com",
        "isRequired": true
      },
      {
        "name": "country",
        "place": "body",
        "example": "343",
        "isRequired": true
      },
      {
        "name": "order",
        "place": "body",
        "example": "A-1001",
        "isRequired": true
      },
      {
        "name": "money",
        "place": "body",
        "example": "COP",
        "isRequired": true
      },
      {
        "name": "amount",
        "place": "body",
        "example": "45000.0",
        "isRequired": true
      }
    ],
    "proof": [
      "email",
      "country",
      "order",
      "money",
      "amount"
    ]
  },
  {
    "name": "queryOrder",
    "method": "GET",
    "path": "/api/v3/porders/:order",
    "fields": [
      {
        "name": "order",
        "place": "path",
        "example": "A-1001",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      }
    ],
    "proof": [
      "order",
      "merchant"
    ]
  },
  {
    "name": "queryOrderByReference",
    "method": "GET",
    "path": "/api/v3/porders",
    "fields": [
      {
        "name": "reference",
        "place": "query",
        "example": "900100200",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      }
    ],
    "proof": [
      "reference",
      "merchant"
    ]
  },
  {
    "name": "cancelOrder",
    "method": "DELETE",
    "path": "/api/v3/porders/:order",
    "fields": [
      {
        "name": "order",
        "place": "path",
        "example": "A-1001",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      }
    ],
    "proof": [
      "order",
      "merchant"
    ]
  },
  {
    "name": "readOrderHistory",
    "method": "GET",
    "path": "/api/v3/porders/:order/history",
    "fields": [
      {
        "name": "order",
        "place": "path",
        "example": "A-1001",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      }
    ],
    "proof": [
      "order",
      "merchant"
    ]
  },
  {
    "name": "requestRefund",
    "method": "POST",
    "path": "/api/v3/refunds",
    "fields": [
      {
        "name": "merchant",
        "place": "body",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "type",
        "place": "body",
        "example": "refund.request",
        "isRequired": true
      },
      {
        "name": "order",
        "place": "body",
        "example": "A-1001",
        "isRequired": true
      },
      {
        "name": "refund",
        "place": "body",
        "example": "R-1001",
        "isRequired": true
      },
      {
        "name": "refunded_by",
        "place": "body",
        "example": "operator",
        "isRequired": true
      },
      {
        "name": "money",
        "place": "body",
        "example": "COP",
        "isRequired": true
      },
      {
        "name": "amount",
        "place": "body",
        "example": "45000.0",
        "isRequired": true
      },
      {
        "name": "reason",
        "place": "body",
        "example": "The shoes came back",
        "isRequired": true
      }
    ],
    "proof": [
      "order",
      "type",
      "refund",
      "refunded_by",
      "money",
      "amount"
    ]
  },
  {
    "name": "queryRefund",
    "method": "GET",
    "path": "/api/v3/refunds/:refund",
    "fields": [
      {
        "name": "refund",
        "place": "path",
        "example": "R-1001",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "type",
        "place": "query",
        "example": "refund.query",
        "isRequired": true
      }
    ],
    "proof": [
      "type",
      "refund",
      "merchant"
    ]
  },
  {
    "name": "listRefunds",
    "method": "GET",
    "path": "/api/v3/refunds",
    "fields": [
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "type",
        "place": "query",
        "example": "refund.list",
        "isRequired": true
      },
      {
        "name": "start",
        "place": "query",
        "example": "20261101",
        "isRequired": true
      },
      {
        "name": "end",
        "place": "query",
        "example": "20261130",
        "isRequired": true
      }
    ],
    "proof": [
      "type",
      "merchant",
      "start",
      "end"
    ]
  },
  {
    "name": "cancelRefund",
    "method": "DELETE",
    "path": "/api/v3/refunds/:refund",
    "fields": [
      {
        "name": "refund",
        "place": "path",
        "example": "R-1001",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "query",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "type",
        "place": "query",
        "example": "refund.cancel",
        "isRequired": true
      }
    ],
    "proof": [
      "type",
      "refund",
      "merchant"
    ]
  },
  {
    "name": "registerRefundCashout",
    "method": "POST",
    "path": "/cashout/v1/refund/:refund",
    "fields": [
      {
        "name": "refund",
        "place": "path",
        "example": "R-1001",
        "isRequired": true
      },
      {
        "name": "merchant",
        "place": "body",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "type",
        "place": "body",
        "example": "refund.cashout",
        "isRequired": true
      },
      {
        "name": "operation",
        "place": "body",
        "example": "W-77",
        "isRequired": true
      },
      {
        "name": "document",
        "place": "body",
        "example": "1020304050",
        "isRequired": true
      }
    ],
    "proof": [
      "refund",
      "type",
      "operation",
      "type",
      "document"
    ]
  },
  {
    "name": "listCashouts",
    "method": "GET",
    "path": "/cashout/v1/operation/:merchant",
    "fields": [
      {
        "name": "merchant",
        "place": "path",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "start",
        "place": "query",
        "example": "20261101",
        "isRequired": false
      },
      {
        "name": "end",
        "place": "query",
        "example": "20261130",
        "isRequired": false
      }
    ],
    "proof": [
      "merchant",
      "start",
      "end"
    ]
  },
  {
    "name": "registerCashout",
    "method": "POST",
    "path": "/cashout/v1/operation",
    "fields": [
      {
        "name": "merchant",
        "place": "body",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "operation",
        "place": "body",
        "example": "W-77",
        "isRequired": true
      },
      {
        "name": "document",
        "place": "body",
        "example": "1020304050",
        "isRequired": true
      },
      {
        "name": "amount",
        "place": "body",
        "example": "45000.00",
        "isRequired": true
      },
      {
        "name": "currency",
        "place": "body",
        "example": "COP",
        "isRequired": true
      }
    ],
    "proof": [
      "merchant",
      "operation",
      "amount",
      "currency",
      "document"
    ]
  },
  {
    "name": "queryCashout",
    "method": "GET",
    "path": "/cashout/v1/operation/:merchant/:operation",
    "fields": [
      {
        "name": "merchant",
        "place": "path",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "operation",
        "place": "path",
        "example": "W-77",
        "isRequired": true
      },
      {
        "name": "document",
        "place": "query",
        "example": "1020304050",
        "isRequired": true
      }
    ],
    "proof": [
      "merchant",
      "operation",
      "document"
    ]
  },
  {
    "name": "cancelCashout",
    "method": "DELETE",
    "path": "/cashout/v1/operation/:merchant/:operation",
    "fields": [
      {
        "name": "merchant",
        "place": "path",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "operation",
        "place": "path",
        "example": "W-77",
        "isRequired": true
      },
      {
        "name": "document",
        "place": "body",
        "example": "1020304050",
        "isRequired": true
      }
    ],
    "proof": [
      "merchant",
      "operation"
    ]
  },
  {
    "name": "renewOneTimePassword",
    "method": "POST",
    "path": "/cashout/v1/operation/:merchant/:operation/otp",
    "fields": [
      {
        "name": "merchant",
        "place": "path",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "operation",
        "place": "path",
        "example": "W-77",
        "isRequired": true
      },
      {
        "name": "document",
        "place": "body",
        "example": "1020304050",
        "isRequired": true
      },
      {
        "name": "renewal",
        "place": "body",
        "example": "otp.1",
        "isRequired": true
      }
    ],
    "proof": [
      "document",
      "operation",
      "merchant",
      "renewal"
    ]
  },
  {
    "name": "readBalance",
    "method": "GET",
    "path": "/cashout/v1/operation/available/:merchant",
    "fields": [
      {
        "name": "merchant",
        "place": "path",
        "example": "demo",
        "isRequired": true
      }
    ],
    "proof": [
      "merchant"
    ]
  },
  {
    "name": "listMovements",
    "method": "GET",
    "path": "/cashout/v1/walletmovements/:merchant",
    "fields": [
      {
        "name": "merchant",
        "place": "path",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "start",
        "place": "query",
        "example": "20261121",
        "isRequired": false
      },
      {
        "name": "end",
        "place": "query",
        "example": "20261121",
        "isRequired": false
      }
    ],
    "proof": [
      "merchant",
      "start",
      "end"
    ]
  },
  {
    "name": "moveToFund",
    "method": "POST",
    "path": "/cashout/v1/fund",
    "fields": [
      {
        "name": "merchant",
        "place": "body",
        "example": "demo",
        "isRequired": true
      },
      {
        "name": "amount",
        "place": "body",
        "example": "45000.00",
        "isRequired": true
      },
      {
        "name": "currency",
        "place": "body",
        "example": "COP",
        "isRequired": true
      },
      {
        "name": "reference",
        "place": "body",
        "example": "fund.2026-11-21",
        "isRequired": true
      }
    ],
    "proof": [
      "merchant",
      "currency",
      "amount",
      "reference"
    ]
  }
];
