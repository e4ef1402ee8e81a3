// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const placeMerchant: Rules = {
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
      "cell"
    ],
    "properties": {
      "cell": {
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]{0,29}$",
        "examples": [
          "north"
        ]
      }
    },
    "additionalProperties": false
  }
};
