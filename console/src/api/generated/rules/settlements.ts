// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listSettlements: Rules = {
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
            "draft",
            "approved",
            "sent",
            "paid",
            "returned",
            "cancelled"
          ]
        }
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

export const showNextSettlement: Rules = {
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
    "required": [
      "currency"
    ],
    "properties": {
      "currency": {
        "type": "string",
        "maxLength": 3,
        "examples": [
          "COP"
        ],
        "pattern": "^[A-Z]{3}$"
      },
      "until": {
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

export const readSettlement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
        ]
      }
    }
  }
};

export const listSettlementEntries: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
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

export const runSettlement: Rules = {
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
      "currency"
    ],
    "properties": {
      "currency": {
        "type": "string",
        "maxLength": 3,
        "examples": [
          "COP"
        ],
        "pattern": "^[A-Z]{3}$"
      },
      "until": {
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

export const approveSettlements: Rules = {
  "body": {
    "type": "object",
    "required": [
      "settlements"
    ],
    "properties": {
      "settlements": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 16,
          "pattern": "^[1-9][0-9]{0,15}$",
          "examples": [
            "12"
          ]
        },
        "minItems": 1,
        "maxItems": 100,
        "examples": [
          [
            "12"
          ]
        ]
      }
    },
    "additionalProperties": false
  }
};

export const cancelSettlement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
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

export const sendSettlement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
        ]
      }
    }
  }
};

export const paySettlement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "bankReference"
    ],
    "properties": {
      "bankReference": {
        "type": "string",
        "maxLength": 100,
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$",
        "examples": [
          "TRX-90311"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const returnSettlement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
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

export const listHolds: Rules = {
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
      "released": {
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

export const placeHold: Rules = {
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
      "reason"
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
      "reason": {
        "type": "string",
        "maxLength": 500,
        "examples": [
          "The payer asked for it."
        ],
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
      },
      "releaseOn": {
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

export const releaseHold: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "hold"
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
      "hold": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "7"
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

export const listSettlementSchedules: Rules = {
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

export const readSettlementSchedule: Rules = {
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

export const setSettlementSchedule: Rules = {
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
      "period": {
        "enum": [
          "daily",
          "weekly",
          "monthly",
          "on_demand"
        ]
      },
      "weekday": {
        "enum": [
          "monday",
          "tuesday",
          "wednesday",
          "thursday",
          "friday",
          "saturday",
          "sunday"
        ]
      },
      "monthDay": {
        "type": "integer",
        "minimum": 1,
        "maximum": 31,
        "examples": [
          15
        ]
      },
      "delayDays": {
        "type": "integer",
        "minimum": 1,
        "maximum": 30,
        "examples": [
          1
        ]
      },
      "calendar": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9-]{1,30}$",
        "examples": [
          "colombia"
        ]
      },
      "minimum": {
        "type": "string",
        "maxLength": 20,
        "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
        "examples": [
          "50000.00"
        ]
      },
      "reservePercent": {
        "type": "string",
        "maxLength": 8,
        "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$",
        "examples": [
          "2.5"
        ]
      },
      "reserveDays": {
        "type": "integer",
        "minimum": 0,
        "maximum": 720,
        "examples": [
          90
        ]
      },
      "account": {
        "type": "object",
        "required": [
          "bankCode",
          "bankName",
          "type",
          "holderName",
          "holderDocumentType",
          "holderDocument",
          "number"
        ],
        "properties": {
          "bankCode": {
            "type": "string",
            "pattern": "^[0-9A-Z]{1,11}$",
            "examples": [
              "1007"
            ]
          },
          "bankName": {
            "type": "string",
            "maxLength": 100,
            "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$",
            "examples": [
              "Banco Ejemplo"
            ]
          },
          "type": {
            "enum": [
              "savings",
              "checking",
              "deposit"
            ]
          },
          "holderName": {
            "type": "string",
            "maxLength": 100,
            "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$",
            "examples": [
              "Tienda Ejemplo SAS"
            ]
          },
          "holderDocumentType": {
            "type": "string",
            "pattern": "^[A-Z]{1,10}$",
            "examples": [
              "NIT"
            ]
          },
          "holderDocument": {
            "type": "string",
            "pattern": "^[0-9A-Z-]{3,20}$",
            "examples": [
              "900123456"
            ]
          },
          "number": {
            "type": "string",
            "maxLength": 40,
            "examples": [
              "04512345678"
            ]
          }
        },
        "additionalProperties": false
      }
    },
    "additionalProperties": false
  }
};

export const listSettlementRules: Rules = {
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

export const addSettlementRule: Rules = {
  "body": {
    "type": "object",
    "required": [
      "name",
      "kind",
      "base",
      "currency",
      "percent",
      "since"
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
      "name": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[a-z0-9-]{1,40}$",
        "examples": [
          "rete-fuente"
        ]
      },
      "kind": {
        "enum": [
          "fee",
          "withholding",
          "transfer_tax"
        ]
      },
      "base": {
        "enum": [
          "payments",
          "fees",
          "collected",
          "payout"
        ]
      },
      "source": {
        "anyOf": [
          {
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:-]{1,60}$",
            "examples": [
              "cashpoint"
            ]
          },
          {
            "type": "null"
          }
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
      "percent": {
        "type": "string",
        "maxLength": 8,
        "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$",
        "examples": [
          "2.5"
        ]
      },
      "fixed": {
        "type": "string",
        "maxLength": 20,
        "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
        "examples": [
          "50000.00"
        ]
      },
      "taxPercent": {
        "type": "string",
        "maxLength": 8,
        "pattern": "^[0-9]{1,3}([.][0-9]{1,4})?$",
        "examples": [
          "2.5"
        ]
      },
      "since": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      },
      "until": {
        "anyOf": [
          {
            "type": "string",
            "format": "date",
            "pattern": "^2[0-9]{3}",
            "examples": [
              "2026-11-21"
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

export const endSettlementRule: Rules = {
  "path": {
    "type": "object",
    "required": [
      "rule"
    ],
    "properties": {
      "rule": {
        "type": "string",
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "until"
    ],
    "properties": {
      "until": {
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

export const listCalendars: Rules = {
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

export const loadCalendar: Rules = {
  "path": {
    "type": "object",
    "required": [
      "calendar"
    ],
    "properties": {
      "calendar": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9-]{1,30}$",
        "examples": [
          "colombia"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "properties": {
      "csv": {
        "type": "string",
        "maxLength": 200000,
        "examples": [
          "day,name\n2026-12-25,Navidad\n"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const readSettlementStatement: Rules = {
  "path": {
    "type": "object",
    "required": [
      "merchant",
      "settlement"
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
      "settlement": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[1-9][0-9]{0,15}$",
        "examples": [
          "12"
        ]
      }
    }
  },
  "query": {
    "type": "object",
    "properties": {
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

export const listBankFileLayouts: Rules = {
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

export const readBankFileLayout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "layout"
    ],
    "properties": {
      "layout": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9-]{1,30}$",
        "examples": [
          "my-bank"
        ]
      }
    }
  }
};

export const setBankFileLayout: Rules = {
  "path": {
    "type": "object",
    "required": [
      "layout"
    ],
    "properties": {
      "layout": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9-]{1,30}$",
        "examples": [
          "my-bank"
        ]
      }
    }
  },
  "query": {
    "type": "object",
    "properties": {
      "try": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  },
  "body": {
    "type": "object",
    "required": [
      "format",
      "timeZone",
      "payer"
    ],
    "properties": {
      "format": {
        "enum": [
          "csv",
          "pain.001.001.09"
        ]
      },
      "timeZone": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "pattern": "^[^\\p{Cc}]+$",
        "examples": [
          "America/Bogota"
        ]
      },
      "payer": {
        "type": "object",
        "required": [
          "bankCode",
          "bankName",
          "type",
          "number",
          "holderName",
          "holderDocumentType",
          "holderDocument"
        ],
        "properties": {
          "bankCode": {
            "type": "string",
            "minLength": 1,
            "maxLength": 35,
            "pattern": "^[^\\p{Cc}]+$",
            "examples": [
              "007"
            ]
          },
          "bankName": {
            "type": "string",
            "minLength": 1,
            "maxLength": 140,
            "pattern": "^[^\\p{Cc}]+$",
            "examples": [
              "BANCOLOMBIA"
            ]
          },
          "type": {
            "enum": [
              "savings",
              "checking",
              "deposit"
            ]
          },
          "number": {
            "type": "string",
            "minLength": 1,
            "maxLength": 34,
            "pattern": "^[^\\p{Cc}]+$",
            "examples": [
              "03012345678"
            ]
          },
          "holderName": {
            "type": "string",
            "minLength": 1,
            "maxLength": 140,
            "pattern": "^[^\\p{Cc}]+$",
            "examples": [
              "Pagos del Valle S. A. S."
            ]
          },
          "holderDocumentType": {
            "type": "string",
            "minLength": 1,
            "maxLength": 35,
            "pattern": "^[^\\p{Cc}]+$",
            "examples": [
              "NIT"
            ]
          },
          "holderDocument": {
            "type": "string",
            "minLength": 1,
            "maxLength": 35,
            "pattern": "^[^\\p{Cc}]+$",
            "examples": [
              "900123456"
            ]
          }
        },
        "additionalProperties": false
      },
      "csv": {
        "type": "object",
        "required": [
          "encoding",
          "lineEnd",
          "separator",
          "quoting",
          "header",
          "decimal",
          "days",
          "columns"
        ],
        "properties": {
          "encoding": {
            "enum": [
              "utf-8",
              "windows-1252"
            ]
          },
          "lineEnd": {
            "enum": [
              "lf",
              "crlf"
            ]
          },
          "separator": {
            "enum": [
              ",",
              ";",
              "\t",
              "|"
            ]
          },
          "quoting": {
            "enum": [
              "always",
              "needed",
              "never"
            ]
          },
          "header": {
            "type": "boolean"
          },
          "decimal": {
            "enum": [
              ".",
              ","
            ]
          },
          "days": {
            "enum": [
              "YYYYMMDD",
              "YYYY-MM-DD",
              "DD/MM/YYYY",
              "DDMMYYYY"
            ]
          },
          "columns": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "name"
              ],
              "properties": {
                "name": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 60,
                  "pattern": "^[^\\p{Cc}]+$",
                  "examples": [
                    "Cuenta"
                  ]
                },
                "field": {
                  "enum": [
                    "file",
                    "row",
                    "payOn",
                    "settlement",
                    "merchant",
                    "amount",
                    "amountMinor",
                    "currency",
                    "bankCode",
                    "bankName",
                    "accountType",
                    "accountNumber",
                    "holderName",
                    "holderDocumentType",
                    "holderDocument",
                    "payerBankCode",
                    "payerBankName",
                    "payerAccountType",
                    "payerAccountNumber",
                    "payerName",
                    "payerDocumentType",
                    "payerDocument"
                  ]
                },
                "text": {
                  "type": "string",
                  "maxLength": 60,
                  "pattern": "^[^\\p{Cc}]*$",
                  "examples": [
                    "220"
                  ]
                },
                "codes": {
                  "type": "object",
                  "patternProperties": {
                    "^.*$": {
                      "type": "string",
                      "maxLength": 40,
                      "pattern": "^[^\\p{Cc}]*$"
                    }
                  },
                  "additionalProperties": false
                },
                "width": {
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 255
                },
                "pad": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 1,
                  "pattern": "^[^\\p{Cc}]$"
                },
                "padAt": {
                  "enum": [
                    "start",
                    "end"
                  ]
                }
              },
              "additionalProperties": false
            },
            "minItems": 1,
            "maxItems": 100
          }
        },
        "additionalProperties": false
      }
    },
    "additionalProperties": false
  }
};

export const listSettlementFiles: Rules = {
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

export const readSettlementFile: Rules = {
  "path": {
    "type": "object",
    "required": [
      "file"
    ],
    "properties": {
      "file": {
        "type": "string",
        "maxLength": 35,
        "pattern": "^[A-Za-z0-9]([A-Za-z0-9-]{0,33}[A-Za-z0-9])?$",
        "examples": [
          "20261128-1"
        ]
      }
    }
  },
  "query": {
    "type": "object",
    "properties": {
      "cell": {
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]{0,29}$",
        "examples": [
          "home"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const makeSettlementFile: Rules = {
  "body": {
    "type": "object",
    "required": [
      "layout",
      "currency"
    ],
    "properties": {
      "file": {
        "type": "string",
        "maxLength": 35,
        "pattern": "^[A-Za-z0-9]([A-Za-z0-9-]{0,33}[A-Za-z0-9])?$",
        "examples": [
          "20261128-1"
        ]
      },
      "layout": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9-]{1,30}$",
        "examples": [
          "my-bank"
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
      "settlements": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 19,
          "pattern": "^[1-9][0-9]{0,18}$",
          "examples": [
            "1"
          ]
        },
        "minItems": 1,
        "maxItems": 1000
      },
      "payOn": {
        "type": "string",
        "format": "date",
        "pattern": "^2[0-9]{3}",
        "examples": [
          "2026-11-21"
        ]
      },
      "cell": {
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]{0,29}$",
        "examples": [
          "home"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const recordSettlementResults: Rules = {
  "body": {
    "type": "object",
    "required": [
      "csv"
    ],
    "properties": {
      "csv": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200000,
        "examples": [
          "settlement,result,reference,reason\n1,paid,TRX-90311,\n2,returned,,Account closed\n"
        ]
      },
      "preview": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};
