// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listTokens: Rules = {
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

export const createToken: Rules = {
  "body": {
    "type": "object",
    "required": [
      "name",
      "permissions",
      "days"
    ],
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 100,
        "examples": [
          "Ana"
        ]
      },
      "permissions": {
        "type": "array",
        "items": {
          "enum": [
            "orders:read",
            "orders:write",
            "payments:write",
            "refunds:write",
            "cashouts:read",
            "cashouts:write",
            "merchants:read",
            "merchants:write",
            "secrets:write",
            "networks:read",
            "networks:write",
            "ledger:read",
            "ledger:write",
            "funds:write",
            "settlements:write",
            "notices:read",
            "notices:send",
            "messages:read",
            "figures:read",
            "exports:read",
            "sandbox:use",
            "users:read",
            "users:write",
            "tokens:write",
            "audit:read",
            "people:write"
          ]
        },
        "minItems": 1,
        "maxItems": 26
      },
      "merchant": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 50,
            "examples": [
              "demo"
            ],
            "pattern": "^[A-Za-z0-9_.-]{1,50}$"
          },
          {
            "type": "null"
          }
        ]
      },
      "days": {
        "type": "integer",
        "minimum": 1,
        "maximum": 365
      }
    },
    "additionalProperties": false
  }
};

export const endToken: Rules = {
  "path": {
    "type": "object",
    "required": [
      "token"
    ],
    "properties": {
      "token": {
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
