// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listRefunds: Rules = {
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
            "requested",
            "approved",
            "paid",
            "failed",
            "cancelled"
          ]
        }
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

export const readRefund: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "refund"
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
      "refund": {
        "type": "string",
        "maxLength": 220,
        "pattern": "^[A-Za-z0-9_-]+([.][0-9]+)?$",
        "examples": [
          "R-1001"
        ]
      }
    }
  }
};

export const requestRefund: Rules = {
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
      "refundedBy",
      "reason"
    ],
    "properties": {
      "refund": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "R-1001"
        ]
      },
      "payment": {
        "type": "integer",
        "minimum": 1,
        "maximum": 999999999
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
      "refundedBy": {
        "enum": [
          "network",
          "operator",
          "merchant",
          "cashout"
        ]
      },
      "takenFrom": {
        "enum": [
          "collected",
          "fund"
        ]
      },
      "reason": {
        "type": "string",
        "maxLength": 500,
        "examples": [
          "The payer asked for it."
        ],
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
      }
    },
    "additionalProperties": false
  }
};

export const approveRefund: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "refund"
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
      "refund": {
        "type": "string",
        "maxLength": 220,
        "pattern": "^[A-Za-z0-9_-]+([.][0-9]+)?$",
        "examples": [
          "R-1001"
        ]
      }
    }
  }
};

export const payRefund: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "refund"
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
      "refund": {
        "type": "string",
        "maxLength": 220,
        "pattern": "^[A-Za-z0-9_-]+([.][0-9]+)?$",
        "examples": [
          "R-1001"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "properties": {
      "refundedBy": {
        "enum": [
          "network",
          "operator",
          "merchant"
        ]
      },
      "proof": {
        "type": "string",
        "maxLength": 200,
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$",
        "examples": [
          "TRX-90311"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const failRefund: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "refund"
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
      "refund": {
        "type": "string",
        "maxLength": 220,
        "pattern": "^[A-Za-z0-9_-]+([.][0-9]+)?$",
        "examples": [
          "R-1001"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "reason"
    ],
    "properties": {
      "reason": {
        "type": "string",
        "maxLength": 500,
        "examples": [
          "The payer asked for it."
        ],
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
      }
    },
    "additionalProperties": false
  }
};

export const cancelRefund: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "refund"
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
      "refund": {
        "type": "string",
        "maxLength": 220,
        "pattern": "^[A-Za-z0-9_-]+([.][0-9]+)?$",
        "examples": [
          "R-1001"
        ]
      }
    }
  }
};

export const registerRefundCashout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "refund"
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
      "refund": {
        "type": "string",
        "maxLength": 220,
        "pattern": "^[A-Za-z0-9_-]+([.][0-9]+)?$",
        "examples": [
          "R-1001"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "operation",
      "document"
    ],
    "properties": {
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
        ]
      },
      "document": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[0-9A-Za-z., /_-]+$",
        "examples": [
          "1020304050"
        ]
      },
      "transactionCost": {
        "type": "string",
        "maxLength": 20,
        "pattern": "^(0|[1-9][0-9]{0,15})([.][0-9]{1,4})?$",
        "examples": [
          "45000.00"
        ]
      },
      "description": {
        "type": "string",
        "maxLength": 50,
        "pattern": "^\\P{Cc}*$",
        "examples": [
          "Prize"
        ]
      },
      "sms": {
        "type": "boolean"
      },
      "cellphone": {
        "type": "string",
        "maxLength": 20,
        "pattern": "^[+() .-]*[0-9][0-9+() .-]*$",
        "examples": [
          "3001234567"
        ]
      },
      "expiresOn": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      },
      "otpLength": {
        "type": "integer",
        "minimum": 4,
        "maximum": 12,
        "examples": [
          6
        ]
      }
    },
    "additionalProperties": false
  }
};
