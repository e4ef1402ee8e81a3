// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const exportList: Rules = {
  "body": {
    "type": "object",
    "required": [
      "list",
      "format"
    ],
    "properties": {
      "list": {
        "enum": [
          "orders",
          "cashouts",
          "payments",
          "refunds",
          "entries",
          "settlements",
          "notices",
          "acts"
        ]
      },
      "format": {
        "enum": [
          "csv-safe",
          "csv",
          "ndjson",
          "csv-es",
          "csv-en",
          "csv-pt"
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
      "filter": {
        "type": "object",
        "properties": {
          "from": {
            "type": "string",
            "maxLength": 500
          },
          "to": {
            "type": "string",
            "maxLength": 500
          },
          "state": {
            "type": "string",
            "maxLength": 500
          },
          "order": {
            "type": "string",
            "maxLength": 500
          },
          "serviceOrderId": {
            "type": "string",
            "maxLength": 500
          },
          "email": {
            "type": "string",
            "maxLength": 500
          },
          "document": {
            "type": "string",
            "maxLength": 500
          },
          "reference": {
            "type": "string",
            "maxLength": 500
          },
          "updatedFrom": {
            "type": "string",
            "maxLength": 500
          },
          "updatedTo": {
            "type": "string",
            "maxLength": 500
          },
          "paidFrom": {
            "type": "string",
            "maxLength": 500
          },
          "paidTo": {
            "type": "string",
            "maxLength": 500
          },
          "network": {
            "type": "string",
            "maxLength": 500
          },
          "transaction": {
            "type": "string",
            "maxLength": 500
          },
          "currency": {
            "type": "string",
            "maxLength": 500
          },
          "amountFrom": {
            "type": "string",
            "maxLength": 500
          },
          "amountTo": {
            "type": "string",
            "maxLength": 500
          },
          "cashout": {
            "type": "string",
            "maxLength": 500
          },
          "cellphone": {
            "type": "string",
            "maxLength": 500
          },
          "createdFrom": {
            "type": "string",
            "maxLength": 500
          },
          "createdTo": {
            "type": "string",
            "maxLength": 500
          },
          "source": {
            "type": "string",
            "maxLength": 500
          },
          "account": {
            "type": "string",
            "maxLength": 500
          },
          "settlement": {
            "type": "string",
            "maxLength": 500
          },
          "kind": {
            "type": "string",
            "maxLength": 500
          },
          "actor": {
            "type": "string",
            "maxLength": 500
          },
          "operation": {
            "type": "string",
            "maxLength": 500
          },
          "only": {
            "type": "string",
            "maxLength": 500
          }
        },
        "additionalProperties": false
      }
    },
    "additionalProperties": false
  }
};

export const listExports: Rules = {
  "query": {
    "type": "object",
    "properties": {
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

export const readExport: Rules = {
  "path": {
    "type": "object",
    "required": [
      "export"
    ],
    "properties": {
      "export": {
        "type": "string",
        "maxLength": 22,
        "pattern": "^[A-Za-z0-9_-]{22}$",
        "examples": [
          "V1StGXR8_Z5jdHi6B-myTw"
        ]
      }
    }
  }
};

export const downloadExport: Rules = {
  "path": {
    "type": "object",
    "required": [
      "export"
    ],
    "properties": {
      "export": {
        "type": "string",
        "maxLength": 22,
        "pattern": "^[A-Za-z0-9_-]{22}$",
        "examples": [
          "V1StGXR8_Z5jdHi6B-myTw"
        ]
      }
    }
  }
};

export const deleteExport: Rules = {
  "path": {
    "type": "object",
    "required": [
      "export"
    ],
    "properties": {
      "export": {
        "type": "string",
        "maxLength": 22,
        "pattern": "^[A-Za-z0-9_-]{22}$",
        "examples": [
          "V1StGXR8_Z5jdHi6B-myTw"
        ]
      }
    }
  }
};
