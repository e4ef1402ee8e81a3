// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const readFigures: Rules = {
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
      },
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "network": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "efectivo"
        ]
      },
      "by": {
        "enum": [
          "hour",
          "day"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const readRefusedFigures: Rules = {
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
      },
      "merchant": {
        "type": "string",
        "maxLength": 50,
        "examples": [
          "demo"
        ],
        "pattern": "^[A-Za-z0-9_.-]{1,50}$"
      },
      "network": {
        "type": "string",
        "maxLength": 30,
        "pattern": "^[a-z0-9_-]{1,30}$",
        "examples": [
          "efectivo"
        ]
      }
    },
    "additionalProperties": false
  }
};
