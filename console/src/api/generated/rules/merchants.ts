// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listMerchants: Rules = {
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

export const readMerchant: Rules = {
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

export const createMerchant: Rules = {
  "body": {
    "type": "object",
    "required": [
      "merchant",
      "country"
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
      "country": {
        "type": "string",
        "pattern": "^[0-9]{3}$",
        "examples": [
          "343"
        ]
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "examples": [
          "Demo"
        ]
      },
      "language": {
        "enum": [
          "es",
          "en",
          "pt"
        ]
      },
      "currencies": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 3,
          "examples": [
            "COP"
          ],
          "pattern": "^[A-Z]{3}$"
        },
        "minItems": 1,
        "maxItems": 10
      },
      "noticeUrl": {
        "type": "string",
        "maxLength": 500,
        "examples": [
          "https://shop.example/notices"
        ]
      },
      "fixedHash": {
        "type": "string",
        "pattern": "^[!-~]{8,200}$",
        "examples": [
          "4c1f0c7a9e0b4d3f8a61"
        ]
      },
      "noticeHash": {
        "type": "string",
        "pattern": "^[!-~]{8,200}$",
        "examples": [
          "4c1f0c7a9e0b4d3f8a61"
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

export const updateMerchant: Rules = {
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
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 100,
        "examples": [
          "Demo"
        ]
      },
      "language": {
        "enum": [
          "es",
          "en",
          "pt"
        ]
      },
      "currencies": {
        "type": "array",
        "items": {
          "type": "string",
          "maxLength": 3,
          "examples": [
            "COP"
          ],
          "pattern": "^[A-Z]{3}$"
        },
        "minItems": 1,
        "maxItems": 10
      },
      "contact": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 254,
            "examples": [
              "ana@shop.example"
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

export const disableMerchant: Rules = {
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

export const enableMerchant: Rules = {
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

export const freezeMerchant: Rules = {
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

export const thawMerchant: Rules = {
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

export const setReplayGuard: Rules = {
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
      "isOn"
    ],
    "properties": {
      "isOn": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const setStrictAmounts: Rules = {
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
      "isOn"
    ],
    "properties": {
      "isOn": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const setLetterDocuments: Rules = {
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
      "isOn"
    ],
    "properties": {
      "isOn": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const setUpdateNotices: Rules = {
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
      "isOn"
    ],
    "properties": {
      "isOn": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const setKeptFees: Rules = {
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
      "isOn"
    ],
    "properties": {
      "isOn": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const setEmptyEmails: Rules = {
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
      "isOn"
    ],
    "properties": {
      "isOn": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const setNoticeChecksum: Rules = {
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
      "noticeChecksum"
    ],
    "properties": {
      "noticeChecksum": {
        "enum": [
          "sha256",
          "sha512"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const setOpenAmounts: Rules = {
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
      "openAmounts"
    ],
    "properties": {
      "openAmounts": {
        "type": "array",
        "items": {
          "type": "object",
          "required": [
            "currency",
            "least",
            "most"
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
            "least": {
              "type": "string",
              "maxLength": 22,
              "examples": [
                "32000.00"
              ],
              "pattern": "^-?[0-9]{1,16}([.][0-9]{1,4})?$"
            },
            "most": {
              "type": "string",
              "maxLength": 22,
              "examples": [
                "32000.00"
              ],
              "pattern": "^-?[0-9]{1,16}([.][0-9]{1,4})?$"
            }
          },
          "additionalProperties": false
        },
        "maxItems": 20
      }
    },
    "additionalProperties": false
  }
};

export const setMerchantLimits: Rules = {
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
      "limits"
    ],
    "properties": {
      "limits": {
        "anyOf": [
          {
            "type": "object",
            "required": [
              "perSecond",
              "burst",
              "concurrent"
            ],
            "properties": {
              "perSecond": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000000,
                "examples": [
                  1000
                ]
              },
              "burst": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000000,
                "examples": [
                  1000
                ]
              },
              "concurrent": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000000,
                "examples": [
                  1000
                ]
              }
            },
            "additionalProperties": false
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

export const setMerchantSigning: Rules = {
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
      "signing"
    ],
    "properties": {
      "signing": {
        "enum": [
          "off",
          "accept",
          "require-writes",
          "require"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const setNoticeUrl: Rules = {
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
      "noticeUrl"
    ],
    "properties": {
      "noticeUrl": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 500,
            "examples": [
              "https://shop.example/notices"
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

export const setReturnUrl: Rules = {
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
      "returnUrl"
    ],
    "properties": {
      "returnUrl": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 500,
            "examples": [
              "https://shop.example/thanks"
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

export const rotateFixedHash: Rules = {
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
    "properties": {
      "days": {
        "type": "integer",
        "minimum": 0,
        "maximum": 7,
        "examples": [
          7
        ]
      },
      "secret": {
        "type": "string",
        "pattern": "^[!-~]{8,200}$",
        "examples": [
          "4c1f0c7a9e0b4d3f8a61"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const rotateNoticeHash: Rules = {
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
    "properties": {
      "days": {
        "type": "integer",
        "minimum": 0,
        "maximum": 7,
        "examples": [
          7
        ]
      },
      "secret": {
        "type": "string",
        "pattern": "^[!-~]{8,200}$",
        "examples": [
          "4c1f0c7a9e0b4d3f8a61"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const rotateSigningSecret: Rules = {
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
    "properties": {
      "days": {
        "type": "integer",
        "minimum": 0,
        "maximum": 7,
        "examples": [
          7
        ]
      }
    },
    "additionalProperties": false
  }
};

export const readRequests: Rules = {
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
      "refused": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};
