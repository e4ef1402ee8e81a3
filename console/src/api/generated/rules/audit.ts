// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listActs: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "since": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "until": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "actor": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "operation": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "merchants disable"
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
      "only": {
        "enum": [
          "changes",
          "reads"
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

export const summarizeActs: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "since": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "until": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
        ]
      },
      "actor": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "operation": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "merchants disable"
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
      "only": {
        "enum": [
          "changes",
          "reads"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const readAct: Rules = {
  "path": {
    "type": "object",
    "required": [
      "act"
    ],
    "properties": {
      "act": {
        "type": "string",
        "maxLength": 19,
        "pattern": "^[1-9][0-9]{0,18}$",
        "examples": [
          "42"
        ]
      }
    }
  }
};

export const listChain: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "cell": {
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]{0,29}$",
        "examples": [
          "home"
        ]
      },
      "after": {
        "type": "string",
        "maxLength": 18,
        "pattern": "^(0|[1-9][0-9]{0,17})$",
        "examples": [
          "42"
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

export const readChainEnds: Rules = {
  "query": {
    "type": "object",
    "properties": {
      "cell": {
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]{0,29}$",
        "examples": [
          "home"
        ]
      }
    },
    "additionalProperties": false
  }
};
