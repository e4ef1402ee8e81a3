// The parts of an OpenAPI 3.1 document that we write or read.

export type ApiSchema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly examples?: readonly (string | number | boolean)[];
};
export type ApiParameter = {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string | number | boolean;
  readonly schema: ApiSchema;
};
type ApiRefusal = { readonly code: string; readonly meaning: string };
type ApiContent = { readonly 'application/json': { readonly schema: ApiSchema } };
type ApiHeader = { readonly description: string; readonly schema: ApiSchema };
type ApiResponse = {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: ApiContent;
};
export type ApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: ApiContent };
  readonly responses: Readonly<Record<string, ApiResponse>>;
  /** The ways to prove a request beside its checksum. */
  readonly security?: readonly object[];
  /** The values that the checksum covers, in order. Empty without a checksum. */
  readonly 'x-checksum': readonly string[];
  /** In order of precedence. */
  readonly 'x-refusals': readonly ApiRefusal[];
};
/** A call that the service makes: the receiver's side of a notice. */
export type ApiWebhook = Pick<ApiOperation, 'operationId' | 'summary' | 'description' | 'tags'> & {
  readonly parameters: readonly ApiParameter[];
  readonly requestBody: { readonly required: boolean; readonly content: ApiContent };
  readonly responses: Readonly<Record<string, ApiResponse>>;
};
export type ApiWebhooks = Readonly<Record<string, { readonly post: ApiWebhook }>>;
export type ApiDocument = {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: object;
    readonly license: object;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: ApiWebhooks;
  readonly components: {
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly headers: Readonly<Record<string, ApiHeader>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
  };
};
