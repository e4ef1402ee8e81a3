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
        "pattern": "^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
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
        "pattern": "^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$",
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
        "pattern": "^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
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
        "pattern": "^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
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
        "pattern": "^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$"
      }
    },
    "additionalProperties": false
  }
};
