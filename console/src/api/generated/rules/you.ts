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
