// Made by `npm run generate` from the declarations of the operations.
import type { Rules } from '../../rules.ts';

export const listNotices: Rules = {
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
      "state": {
        "enum": [
          "waiting",
          "delivered",
          "given_up"
        ]
      },
      "kind": {
        "type": "array",
        "items": {
          "enum": [
            "order",
            "cashout",
            "settlement",
            "test"
          ]
        }
      },
      "writtenFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "writtenTo": {
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

export const summarizeNotices: Rules = {
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
      "state": {
        "enum": [
          "waiting",
          "delivered",
          "given_up"
        ]
      },
      "kind": {
        "type": "array",
        "items": {
          "enum": [
            "order",
            "cashout",
            "settlement",
            "test"
          ]
        }
      },
      "writtenFrom": {
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "examples": [
          "2026-11-21"
        ]
      },
      "writtenTo": {
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

export const readNotice: Rules = {
  "path": {
    "type": "object",
    "required": [
      "notice"
    ],
    "properties": {
      "notice": {
        "type": "string",
        "maxLength": 60,
        "pattern": "^(msg_)?[0-9]{1,18}(_[0-9]{1,18})?$",
        "examples": [
          "msg_42_1763737200000"
        ]
      }
    }
  }
};

export const readNoticeRequest: Rules = {
  "path": {
    "type": "object",
    "required": [
      "notice"
    ],
    "properties": {
      "notice": {
        "type": "string",
        "maxLength": 60,
        "pattern": "^(msg_)?[0-9]{1,18}(_[0-9]{1,18})?$",
        "examples": [
          "msg_42_1763737200000"
        ]
      }
    }
  }
};

export const listNoticeEndpoints: Rules = {
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

export const sendTestNotice: Rules = {
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
  }
};

export const redeliverNotice: Rules = {
  "path": {
    "type": "object",
    "required": [
      "notice"
    ],
    "properties": {
      "notice": {
        "type": "string",
        "maxLength": 60,
        "pattern": "^(msg_)?[0-9]{1,18}(_[0-9]{1,18})?$",
        "examples": [
          "msg_42_1763737200000"
        ]
      }
    }
  }
};

export const redeliverNotices: Rules = {
  "body": {
    "type": "object",
    "required": [
      "since"
    ],
    "properties": {
      "since": {
        "type": "string",
        "format": "date-time",
        "pattern": "^2[0-9]{3}-.{14,24}Z$",
        "examples": [
          "2026-11-21T15:00:00Z"
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
      "onlyFailed": {
        "type": "boolean"
      },
      "after": {
        "type": "string",
        "pattern": "^[0-9]{1,18}(,[0-9]{1,18})*$",
        "maxLength": 5000,
        "examples": [
          "42"
        ]
      }
    },
    "additionalProperties": false
  }
};

export const sendNoticeNow: Rules = {
  "path": {
    "type": "object",
    "required": [
      "notice"
    ],
    "properties": {
      "notice": {
        "type": "string",
        "maxLength": 60,
        "pattern": "^(msg_)?[0-9]{1,18}(_[0-9]{1,18})?$",
        "examples": [
          "msg_42_1763737200000"
        ]
      }
    }
  }
};

export const pauseNoticeEndpoint: Rules = {
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
  }
};

export const resumeNoticeEndpoint: Rules = {
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
  }
};
