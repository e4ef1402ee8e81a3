// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listMessages: Rules = {
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
      "subject": {
        "type": "string",
        "maxLength": 100
      },
      "state": {
        "enum": [
          "pending",
          "sent",
          "given_up",
          "kept"
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

export const summarizeMessages: Rules = {
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
      "subject": {
        "type": "string",
        "maxLength": 100
      },
      "state": {
        "enum": [
          "pending",
          "sent",
          "given_up",
          "kept"
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

export const countMessages: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "failed": {
        "type": "boolean"
      }
    },
    "additionalProperties": false
  }
};

export const sendMessageNow: Rules = {
  "path": {
    "type": "object",
    "required": [
      "message"
    ],
    "properties": {
      "message": {
        "type": "string",
        "pattern": "^[1-9][0-9]{0,17}$",
        "maxLength": 18,
        "examples": [
          "17"
        ]
      }
    }
  }
};
