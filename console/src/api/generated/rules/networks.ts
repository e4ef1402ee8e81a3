// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listNetworks: Rules = {
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

export const readNetwork: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
      }
    }
  }
};

export const createNetwork: Rules = {
  "body": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "examples": [
          "Cash Point"
        ]
      },
      "countries": {
        "anyOf": [
          {
            "type": "array",
            "items": {
              "type": "string",
              "pattern": "^[0-9]{3}$",
              "examples": [
                "343"
              ]
            },
            "minItems": 1,
            "maxItems": 50
          },
          {
            "type": "null"
          }
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
        "maxItems": 50
      }
    },
    "additionalProperties": false
  }
};

export const setNetworkServes: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "countries"
    ],
    "properties": {
      "countries": {
        "anyOf": [
          {
            "type": "array",
            "items": {
              "type": "string",
              "pattern": "^[0-9]{3}$",
              "examples": [
                "343"
              ]
            },
            "minItems": 1,
            "maxItems": 50
          },
          {
            "type": "null"
          }
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
        "maxItems": 50
      }
    },
    "additionalProperties": false
  }
};

export const setNetworkAddresses: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "required": [
      "addresses"
    ],
    "properties": {
      "addresses": {
        "anyOf": [
          {
            "type": "array",
            "items": {
              "type": "string",
              "maxLength": 43,
              "examples": [
                "192.0.2.0/24"
              ]
            },
            "minItems": 1,
            "maxItems": 100
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

export const setNetworkLimits: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
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

export const setNetworkSigning: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
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
          "require",
          "checksum"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const disableNetwork: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
      }
    }
  }
};

export const enableNetwork: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
      }
    }
  }
};

export const rotateNetworkSecret: Rules = {
  "path": {
    "type": "object",
    "required": [
      "netname"
    ],
    "properties": {
      "netname": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "cashpoint"
        ]
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
