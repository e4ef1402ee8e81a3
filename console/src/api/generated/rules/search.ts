// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const search: Rules = {
  "query": {
    "type": "object",
    "required": [
      "text"
    ],
    "properties": {
      "text": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "pattern": "^[^\\p{Cc}\\S]*[^\\p{Cc}\\s][^\\p{Cc}]*$",
        "examples": [
          "813832289025"
        ]
      },
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
            "voided",
            "nullified"
          ]
        }
      },
      "network": {
        "type": "string",
        "minLength": 1,
        "maxLength": 30,
        "examples": [
          "efectivo"
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
      }
    },
    "additionalProperties": false
  }
};
