// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const readBalances: Rules = {
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
      "account": {
        "type": "string",
        "maxLength": 60,
        "examples": [
          "available"
        ]
      },
      "service": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const listEntries: Rules = {
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
      "account": {
        "type": "string",
        "maxLength": 60,
        "examples": [
          "available"
        ]
      },
      "transaction": {
        "type": "string",
        "maxLength": 120,
        "examples": [
          "cashout/W-77/paid"
        ]
      },
      "currency": {
        "type": "string",
        "maxLength": 3,
        "examples": [
          "COP"
        ],
        "pattern": "^[A-Z]{3}$"
      },
      "from": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "until": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
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

export const readFees: Rules = {
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

export const readStatement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "day"
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
      "day": {
        "type": "string",
        "maxLength": 10,
        "pattern": "^(today|2[0-9]{3}-[0-9]{2}-[0-9]{2})$",
        "examples": [
          "2026-11-21"
        ]
      }
    }
  }
};

export const readFunds: Rules = {
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
  },
  "query": {
    "type": "object",
    "properties": {
      "from": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      },
      "to": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const topUp: Rules = {
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
  },
  "body": {
    "type": "object",
    "required": [
      "amount"
    ],
    "properties": {
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
        "maxLength": 100,
        "pattern": "^[A-Za-z0-9_.:-]{1,100}$",
        "examples": [
          "bank-2026-11-21-7"
        ]
      },
      "again": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const adjustAccount: Rules = {
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
  },
  "body": {
    "type": "object",
    "required": [
      "account",
      "amount",
      "reason"
    ],
    "properties": {
      "account": {
        "type": "string",
        "maxLength": 60,
        "examples": [
          "available"
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
            "maxLength": 22,
            "examples": [
              "32000.00"
            ],
            "pattern": "^-?[0-9]{1,16}([.][0-9]{1,4})?$"
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

export const setFees: Rules = {
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
  },
  "body": {
    "type": "object",
    "required": [
      "operation",
      "percent",
      "fixed",
      "taxPercent"
    ],
    "properties": {
      "operation": {
        "enum": [
          "order",
          "cashout"
        ]
      },
      "percent": {
        "type": "string",
        "maxLength": 8,
        "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$",
        "examples": [
          "2.5"
        ]
      },
      "fixed": {
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
      "taxPercent": {
        "type": "string",
        "maxLength": 8,
        "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$",
        "examples": [
          "2.5"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const moveToFund: Rules = {
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
  },
  "body": {
    "type": "object",
    "required": [
      "amount",
      "reference"
    ],
    "properties": {
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
        "maxLength": 100,
        "pattern": "^[A-Za-z0-9_.:-]{1,100}$",
        "examples": [
          "friday-1"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const readFundRules: Rules = {
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

export const setFundRule: Rules = {
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
    "required": [
      "low",
      "target"
    ],
    "properties": {
      "low": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 20,
            "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
            "examples": [
              "500000.00"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "target": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 20,
            "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
            "examples": [
              "500000.00"
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

export const endFundRule: Rules = {
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
  }
};

export const readStatementFile: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "period"
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
      "period": {
        "type": "string",
        "maxLength": 10,
        "pattern": "^2[0-9]{3}-[0-9]{2}(-[0-9]{2})?$",
        "examples": [
          "2026-11"
        ]
      }
    }
  },
  "query": {
    "type": "object",
    "properties": {
      "currency": {
        "type": "string",
        "maxLength": 3,
        "examples": [
          "COP"
        ],
        "pattern": "^[A-Z]{3}$"
      },
      "format": {
        "enum": [
          "pdf",
          "csv"
        ]
      },
      "language": {
        "enum": [
          "es",
          "en",
          "pt"
        ]
      }
    },
    "additionalProperties": false
  }
};
