// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const streamEvents: Rules = {
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
      }
    },
    "additionalProperties": false
  }
};
