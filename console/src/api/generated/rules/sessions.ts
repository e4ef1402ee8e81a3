// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const signIn: Rules = {
  "body": {
    "type": "object",
    "required": [
      "email",
      "password",
      "code"
    ],
    "properties": {
      "email": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "password": {
        "type": "string",
        "maxLength": 1000,
        "examples": [
          "nine blue herons at dusk"
        ]
      },
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

export const listSessions: Rules = {
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

export const endSession: Rules = {
  "path": {
    "type": "object",
    "required": [
      "session"
    ],
    "properties": {
      "session": {
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
