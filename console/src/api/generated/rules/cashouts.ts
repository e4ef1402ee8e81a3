// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const readCashout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "operation"
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
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
        ]
      }
    }
  }
};

export const registerCashout: Rules = {
  "body": {
    "type": "object",
    "required": [
      "merchant",
      "operation",
      "amount",
      "document"
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
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
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

export const cancelCashout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "operation"
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
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
        ]
      }
    }
  }
};

export const nullifyCashout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "operation"
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
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
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

export const unlockCashout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "operation"
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
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
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

export const resendOneTimePassword: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "operation"
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
      "operation": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[A-Za-z0-9_-]+$",
        "examples": [
          "W-77"
        ]
      }
    }
  }
};

export const readCashoutLimits: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant"
    ],
    "properties": {
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      }
    }
  }
};

export const changeCashoutLimits: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "currency"
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
      "currency": {
        "type": "string",
        "maxLength": 3,
        "examples": [
          "COP"
        ],
        "pattern": "^[A-Z]{3}$"
      }
    }
  },
  "body": {
    "type": "object",
    "properties": {
      "least": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 20,
            "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
            "examples": [
              "50000.00"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "most": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 20,
            "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
            "examples": [
              "50000.00"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "perDocumentAndDay": {
        "anyOf": [
          {
            "type": "integer",
            "minimum": 1,
            "maximum": 999999,
            "examples": [
              3
            ]
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

export const listCashoutsByFilter: Rules = {
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
            "nullified"
          ]
        }
      },
      "cashout": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "examples": [
          "W-1300"
        ]
      },
      "document": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "10200300"
        ]
      },
      "cellphone": {
        "type": "string",
        "minLength": 1,
        "maxLength": 30,
        "examples": [
          "3005550000"
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

export const summarizeCashouts: Rules = {
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
            "nullified"
          ]
        }
      },
      "cashout": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "examples": [
          "W-1300"
        ]
      },
      "document": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "10200300"
        ]
      },
      "cellphone": {
        "type": "string",
        "minLength": 1,
        "maxLength": 30,
        "examples": [
          "3005550000"
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
