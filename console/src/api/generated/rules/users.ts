// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listUsers: Rules = {
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
      "email": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "state": {
        "enum": [
          "invited",
          "active",
          "disabled"
        ]
      },
      "role": {
        "enum": [
          "owner",
          "operations",
          "finance",
          "support",
          "auditor",
          "administrator",
          "clerk",
          "viewer"
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

export const readUser: Rules = {
  "path": {
    "type": "object",
    "required": [
      "user"
    ],
    "properties": {
      "user": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[0-9a-f]{16}$",
        "examples": [
          "0af3c2d1e4b50a91"
        ]
      }
    }
  }
};

export const inviteUser: Rules = {
  "body": {
    "type": "object",
    "required": [
      "email",
      "name",
      "role",
      "language"
    ],
    "properties": {
      "email": {
        "type": "string",
        "maxLength": 254,
        "examples": [
          "ana@example.com"
        ]
      },
      "name": {
        "type": "string",
        "maxLength": 100,
        "examples": [
          "Ana"
        ]
      },
      "role": {
        "enum": [
          "owner",
          "operations",
          "finance",
          "support",
          "auditor",
          "administrator",
          "clerk",
          "viewer"
        ]
      },
      "merchant": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 50,
            "examples": [
              "demo"
            ],
            "pattern": "^[A-Za-z0-9_.-]{1,50}$"
          },
          {
            "type": "null"
          }
        ]
      },
      "language": {
        "enum": [
          "es",
          "en",
          "pt"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const changeUser: Rules = {
  "path": {
    "type": "object",
    "required": [
      "user"
    ],
    "properties": {
      "user": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[0-9a-f]{16}$",
        "examples": [
          "0af3c2d1e4b50a91"
        ]
      }
    }
  },
  "body": {
    "type": "object",
    "properties": {
      "name": {
        "type": "string",
        "maxLength": 100,
        "examples": [
          "Ana"
        ]
      },
      "role": {
        "enum": [
          "owner",
          "operations",
          "finance",
          "support",
          "auditor",
          "administrator",
          "clerk",
          "viewer"
        ]
      },
      "merchant": {
        "anyOf": [
          {
            "type": "string",
            "maxLength": 50,
            "examples": [
              "demo"
            ],
            "pattern": "^[A-Za-z0-9_.-]{1,50}$"
          },
          {
            "type": "null"
          }
        ]
      },
      "language": {
        "enum": [
          "es",
          "en",
          "pt"
        ]
      },
      "state": {
        "enum": [
          "active",
          "disabled"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const resetUser: Rules = {
  "path": {
    "type": "object",
    "required": [
      "user"
    ],
    "properties": {
      "user": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[0-9a-f]{16}$",
        "examples": [
          "0af3c2d1e4b50a91"
        ]
      }
    }
  }
};

export const signOutUser: Rules = {
  "path": {
    "type": "object",
    "required": [
      "user"
    ],
    "properties": {
      "user": {
        "type": "string",
        "maxLength": 16,
        "pattern": "^[0-9a-f]{16}$",
        "examples": [
          "0af3c2d1e4b50a91"
        ]
      }
    }
  }
};
