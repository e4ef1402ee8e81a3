// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const proveAgain: Rules = {
  "body": {
    "type": "object",
    "properties": {
      "code": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "123456"
        ]
      },
      "password": {
        "type": "string",
        "maxLength": 1000,
        "examples": [
          "nine blue herons at dusk"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const changePassword: Rules = {
  "body": {
    "type": "object",
    "required": [
      "password"
    ],
    "properties": {
      "password": {
        "type": "string",
        "maxLength": 1000,
        "examples": [
          "nine blue herons at dusk"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const confirmCodes: Rules = {
  "body": {
    "type": "object",
    "required": [
      "code"
    ],
    "properties": {
      "code": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "123456"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const saveView: Rules = {
  "body": {
    "type": "object",
    "required": [
      "name",
      "address"
    ],
    "properties": {
      "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "pattern": "^[^\\p{Cc}]+$",
        "examples": [
          "Open orders"
        ]
      },
      "address": {
        "type": "string",
        "maxLength": 1000,
        "pattern": "^/[a-z][\\x21\\x22\\x24-\\x3e\\x41-\\x7e]*([?][\\x21\\x22\\x24-\\x3e\\x41-\\x7e]*)?$",
        "examples": [
          "/orders?state=pending"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const deleteView: Rules = {
  "path": {
    "type": "object",
    "required": [
      "view"
    ],
    "properties": {
      "view": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[0-9a-f]{16}$",
        "examples": [
          "0af3c2d1e4b50a91"
        ]
      }
    }
  }
};
