// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const readMerchantBrand: Rules = {
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

export const setMerchantBrand: Rules = {
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
      "colour": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 7,
            "examples": [
              "#0a5c78"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "contact": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 254,
            "examples": [
              "+57 601 555 0100"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "website": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 200,
            "examples": [
              "https://shop.example"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "logo": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 44000,
            "pattern": "^[A-Za-z0-9+/]+={0,2}$",
            "examples": [
              "iVBORw0KGgo="
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

export const readNetworkBrand: Rules = {
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

export const setNetworkBrand: Rules = {
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
      "fees": {
        "type": "array",
        "items": {
          "type": "object",
          "required": [
            "amount",
            "currency"
          ],
          "properties": {
            "amount": {
              "type": "string",
              "maxLength": 20,
              "pattern": "^(0|[1-9][0-9]{0,12})([.][0-9]{1,4})?$",
              "examples": [
                "1500.00"
              ]
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
        "maxItems": 50
      },
      "hours": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 120,
            "examples": [
              "mon-sat 08:00-20:00, sun 09:00-13:00"
            ]
          },
          {
            "type": "null"
          }
        ]
      },
      "logo": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 44000,
            "pattern": "^[A-Za-z0-9+/]+={0,2}$",
            "examples": [
              "iVBORw0KGgo="
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
