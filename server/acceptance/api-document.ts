import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './http-client.ts';

type Schema = { [name: string]: unknown };
type Response = { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
type Operation = { readonly responses: Readonly<Record<string, Response>> };
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly responses: Readonly<Record<string, Response>> };
};

/** Returns what of an answer the OpenAPI document of its server does not describe. */
export type AnswerCheck = (method: string, path: string, answer: Answer) => readonly string[];

/** The schemas of refusals of paths and methods that no operation has. */
const FAULTS = { orders: 'OrderFault', cashouts: 'CashoutFault' } as const;

/**
 * Reads an OpenAPI document, to check answers against it.
 * Members that a schema does not name count as findings, although the document allows further members.
 */
export function readApiDocument(document: ApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
  const closed = closeObjects(document) as ApiDocument;
  const compiled = new Map<string, ValidateFunction>();
  const validator = (key: string, schema: Schema): ValidateFunction => {
    const known = compiled.get(key) ?? ajv.compile({ ...schema, components: closed.components });
    compiled.set(key, known);
    return known;
  };
  // A fixed part wins over a parameter that also fits, as OpenAPI says.
  const specific = Object.keys(closed.paths).toSorted((one, other) => one.split('{').length - other.split('{').length);
  const templates = specific.map((template) => ({
    template,
    shape: new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
  }));

  return (method, path, { status, text }) => {
    if (method === 'HEAD') return text === '' ? [] : ['an answer to HEAD has no body'];
    // The sandbox also serves cashouts under /v1/, and every service reversals under a plural. The document leaves these out.
    const documented = path
      .replace(/^\/v1\//, '/cashout/v1/')
      .replace('/v1/transactions/', '/v1/transaction/')
      .split('?')[0] as string;
    const template = templates.find(({ shape }) => shape.test(documented))?.template;
    const operation = template === undefined ? undefined : closed.paths[template]?.[method.toLowerCase()];
    const named = operation?.responses[String(status)];
    const response = named?.$ref === undefined ? named : closed.components.responses[named.$ref.split('/').at(-1) as string];
    const described = response?.content?.['application/json']?.schema;
    const isUnknown = operation === undefined && [404, 405, 413].includes(status);
    const fault = documented.startsWith('/cashout/') ? FAULTS.cashouts : FAULTS.orders;
    const schema = described ?? (isUnknown ? { $ref: `#/components/schemas/${fault}` } : undefined);
    if (schema === undefined) return [`the document does not describe ${status} of ${method} ${template ?? documented}`];
    const validate = validator(described === undefined ? fault : `${method} ${template} ${status}`, schema);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  };
}

/** Makes every object schema refuse members that it does not name. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]));
  const isObjectSchema = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isObjectSchema ? { ...copy, additionalProperties: false } : copy;
}
