// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const readOrder: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  }
};

export const createOrder: Rules = {
  "body": {
    "type": "object",
    "required": [
      "merchant",
      "order",
      "email",
      "amount"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      },
      "email": {
        "type": "string",
        "maxLength": 100,
        "pattern": "^(?:[^\\s@\\p{Cc}]+@[^\\s@.\\p{Cc}]+(?:\\.[^\\s@.\\p{Cc}]+)*\\.[^\\s@.\\p{Cc}\\p{Nd}]+)?$",
        "examples": [
          "ana@example.com"
        ]
      },
      "amount": {
        "type": "object",
        "required": [
          "amount",
          "currency"
        ],
        "properties": {
          "amount": {
            "type": "string",
            "maxLength": 20,
            "examples": [
              "32000.00"
            ],
            "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$"
          },
          "currency": {
            "type": "string",
            "maxLength": 3,
            "examples": [
              "COP"
            ],
            "pattern": "^[A-Z]{3}$"
          }
        },
        "additionalProperties": false
      },
      "reference": {
        "type": "string",
        "maxLength": 25,
        "pattern": "^[0-9]*$",
        "examples": [
          "900100200"
        ],
        "minLength": 1
      },
      "description": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 500,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "Books"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "method": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 25,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "EFECTY"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "language": {
        "anyOf": [
          {
            "enum": [
              "es",
              "en",
              "pt"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "recurrent": {
        "type": "boolean"
      },
      "expiresOn": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      },
      "vatRate": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 8,
            "pattern": "^(100|[0-9]{1,2}([.][0-9]{1,4})?)$",
            "examples": [
              "19"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "userDocument": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 20,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "1020304050"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "userDocumentType": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 10,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "CC"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "userName": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 100,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "Ana"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "redirectTimeoutMs": {
        "anyOf": [
          {
            "type": "integer",
            "minimum": 0,
            "maximum": 9999999
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "additionalProperties": false
  }
};

export const updateOrder: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "properties": {
      "email": {
        "type": "string",
        "maxLength": 100,
        "pattern": "^(?:[^\\s@\\p{Cc}]+@[^\\s@.\\p{Cc}]+(?:\\.[^\\s@.\\p{Cc}]+)*\\.[^\\s@.\\p{Cc}\\p{Nd}]+)?$",
        "examples": [
          "ana@example.com"
        ]
      },
      "amount": {
        "type": "object",
        "required": [
          "amount",
          "currency"
        ],
        "properties": {
          "amount": {
            "type": "string",
            "maxLength": 20,
            "examples": [
              "32000.00"
            ],
            "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$"
          },
          "currency": {
            "type": "string",
            "maxLength": 3,
            "examples": [
              "COP"
            ],
            "pattern": "^[A-Z]{3}$"
          }
        },
        "additionalProperties": false
      },
      "reference": {
        "type": "string",
        "maxLength": 25,
        "pattern": "^[0-9]*$",
        "examples": [
          "900100200"
        ],
        "minLength": 1
      },
      "description": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 500,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "Books"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "method": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 25,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "EFECTY"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "language": {
        "anyOf": [
          {
            "enum": [
              "es",
              "en",
              "pt"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "recurrent": {
        "type": "boolean"
      },
      "expiresOn": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      },
      "vatRate": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 8,
            "pattern": "^(100|[0-9]{1,2}([.][0-9]{1,4})?)$",
            "examples": [
              "19"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "userDocument": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 20,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "1020304050"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "userDocumentType": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 10,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "CC"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "userName": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 100,
            "pattern": "^\\P{Cc}*$",
            "examples": [
              "Ana"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "redirectTimeoutMs": {
        "anyOf": [
          {
            "type": "integer",
            "minimum": 0,
            "maximum": 9999999
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "additionalProperties": false
  }
};

export const cancelOrder: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  }
};

export const voidOrder: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "reason",
      "refundedBy"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "maxLength": 500,
        "examples": [
          "The payer asked for it."
        ],
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
      },
      "refundedBy": {
        "enum": [
          "network",
          "operator",
          "merchant"
        ]
      },
      "payment": {
        "type": "integer",
        "minimum": 1,
        "maximum": 999999999
      },
      "isClaim": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const listRefusedPayments: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "since": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "resolved": {
        "type": "boolean"
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "examples": [
          50
        ]
      },
      "cursor": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2000
      }
    },
    "additionalProperties": false
  }
};

export const readRefusedBeyond: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "since": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const resolveRefusedPayments: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "note"
    ],
    "properties": {
      "note": {
        "type": "string",
        "maxLength": 500,
        "examples": [
          "The payer asked for it."
        ],
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
      },
      "transaction": {
        "type": "string",
        "maxLength": 200,
        "examples": [
          "T-4711"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const showOrderPage: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  },
  "query": {
    "type": "object",
    "properties": {
      "version": {
        "type": "integer",
        "minimum": 1,
        "maximum": 999999999,
        "examples": [
          1
        ]
      },
      "view": {
        "type": "integer",
        "minimum": 1,
        "maximum": 9007199254740991
      }
    },
    "additionalProperties": false
  }
};

export const listPageViews: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  },
  "query": {
    "type": "object",
    "properties": {
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "examples": [
          50
        ]
      },
      "cursor": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2000
      }
    },
    "additionalProperties": false
  }
};

export const listOrders: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "state": {
        "type": "array",
        "items": {
          "enum": [
            "pending",
            "approved",
            "expired",
            "cancelled",
            "voided"
          ]
        }
      },
      "order": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "examples": [
          "A-1001"
        ]
      },
      "serviceOrderId": {
        "type": "string",
        "pattern": "^[0-9]{1,18}$",
        "examples": [
          "4711"
        ]
      },
      "reference": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "900100200"
        ]
      },
      "email": {
        "type": "string",
        "minLength": 1,
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "document": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "52998877"
        ]
      },
      "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$",
        "examples": [
          "COP"
        ]
      },
      "amountFrom": {
        "type": "string",
        "maxLength": 20,
        "examples": [
          "32000.00"
        ]
      },
      "amountTo": {
        "type": "string",
        "maxLength": 20,
        "examples": [
          "32000.00"
        ]
      },
      "createdFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "createdTo": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "updatedFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "updatedTo": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "paidFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "paidTo": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "network": {
        "type": "string",
        "minLength": 1,
        "maxLength": 30,
        "examples": [
          "efectivo"
        ]
      },
      "transaction": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "examples": [
          "T-1001"
        ]
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "examples": [
          50
        ]
      },
      "cursor": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2000
      }
    },
    "additionalProperties": false
  }
};

export const summarizeOrders: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "state": {
        "type": "array",
        "items": {
          "enum": [
            "pending",
            "approved",
            "expired",
            "cancelled",
            "voided"
          ]
        }
      },
      "order": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "examples": [
          "A-1001"
        ]
      },
      "serviceOrderId": {
        "type": "string",
        "pattern": "^[0-9]{1,18}$",
        "examples": [
          "4711"
        ]
      },
      "reference": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "900100200"
        ]
      },
      "email": {
        "type": "string",
        "minLength": 1,
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "document": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "52998877"
        ]
      },
      "currency": {
        "type": "string",
        "pattern": "^[A-Z]{3}$",
        "examples": [
          "COP"
        ]
      },
      "amountFrom": {
        "type": "string",
        "maxLength": 20,
        "examples": [
          "32000.00"
        ]
      },
      "amountTo": {
        "type": "string",
        "maxLength": 20,
        "examples": [
          "32000.00"
        ]
      },
      "createdFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "createdTo": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "updatedFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "updatedTo": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "paidFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "paidTo": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "network": {
        "type": "string",
        "minLength": 1,
        "maxLength": 30,
        "examples": [
          "efectivo"
        ]
      },
      "transaction": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "examples": [
          "T-1001"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const readLastPaid: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      }
    },
    "additionalProperties": false
  }
};

export const expireOrder: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "order"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "order": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "A-1001"
        ]
      }
    }
  }
};
