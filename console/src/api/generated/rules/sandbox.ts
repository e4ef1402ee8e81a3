// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const moveClock: Rules = {
  "body": {
    "type": "object",
    "properties": {
      "now": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "advance": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^P[0-9A-Z.,]+$",
        "examples": [
          "P3D"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const simulatePayment: Rules = {
  "body": {
    "type": "object",
    "required": [
      "reference"
    ],
    "properties": {
      "reference": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[0-9]+$",
        "examples": [
          "900100200"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const reverseSimulatedPayment: Rules = {
  "path": {
    "type": "object",
    "required": [
      "transaction"
    ],
    "properties": {
      "transaction": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[1-9][0-9]{0,17}-[0-9a-f]{12}$",
        "examples": [
          "5-0af3c2d1e4b5"
        ]
      }
    }
  }
};

export const simulateCollection: Rules = {
  "body": {
    "type": "object",
    "required": [
      "document",
      "oneTimePassword"
    ],
    "properties": {
      "document": {
        "type": "string",
        "maxLength": 20,
        "pattern": "^(?:[0-9]+|(?=[A-Za-z\\s.,/_-]*[0-9])(?=[0-9\\s.,/_-]*[A-Za-z])[0-9A-Za-z\\s.,/_-]+)$",
        "examples": [
          "1020304050"
        ]
      },
      "oneTimePassword": {
        "type": "string",
        "maxLength": 12,
        "pattern": "^[0-9]{4,12}$",
        "examples": [
          "048213"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const reverseSimulatedCollection: Rules = {
  "path": {
    "type": "object",
    "required": [
      "transaction"
    ],
    "properties": {
      "transaction": {
        "type": "string",
        "maxLength": 40,
        "pattern": "^[1-9][0-9]{0,17}-[0-9a-f]{12}$",
        "examples": [
          "5-0af3c2d1e4b5"
        ]
      }
    }
  }
};

export const listInbox: Rules = {
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

export const readInboxEntry: Rules = {
  "path": {
    "type": "object",
    "required": [
      "channel",
      "id"
    ],
    "properties": {
      "channel": {
        "enum": [
          "mail",
          "sms",
          "notice"
        ]
      },
      "id": {
        "type": "string",
        "maxLength": 18,
        "pattern": "^[1-9][0-9]{0,17}$",
        "examples": [
          "17"
        ]
      }
    }
  }
};
