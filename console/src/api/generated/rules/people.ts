// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const exportPerson: Rules = {
  "body": {
    "type": "object",
    "properties": {
      "document": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "1020304050"
        ]
      },
      "email": {
        "type": "string",
        "minLength": 1,
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const erasePerson: Rules = {
  "body": {
    "type": "object",
    "properties": {
      "document": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "examples": [
          "1020304050"
        ]
      },
      "email": {
        "type": "string",
        "minLength": 1,
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      }
    },
    "additionalProperties": false
  }
};
