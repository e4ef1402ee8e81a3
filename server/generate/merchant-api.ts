import type { Operation } from '../src/requests/index.ts';

type Described = Operation<never>;

const FILE = 'console/src/api/generated/merchant-api.ts';

/**
 * Writes what the console knows of the merchants' API: how a request looks, and which values its checksum covers.
 * Shape: path from the root → text.
 */
export function renderMerchantApi(operations: readonly Described[]): ReadonlyMap<string, string> {
  const own = operations.filter(({ caller }) => caller === 'merchant').map(describe);
  const text = `// Made by \`npm run generate\` from the declarations of the operations.

/** A field of a request, with an example. A checksum is not among them. */
export type MerchantField = { readonly name: string; readonly place: 'path' | 'query' | 'body'; readonly example: string; readonly isRequired: boolean };

/** An operation of the merchants' API. \`proof\`: the fields that its checksum covers, in this order, and then the fixed hash. */
export type MerchantOperation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly MerchantField[];
  readonly proof: readonly string[];
};

export const MERCHANT_OPERATIONS: readonly MerchantOperation[] = ${JSON.stringify(own, null, 2)};
`;
  return new Map([[FILE, text]]);
}

function describe({ name, route, path = {}, from, fields, proof }: Described): object {
  const [method, at] = route.split(' ');
  const listed = [path, fields].flatMap((declared) =>
    Object.entries(declared)
      .filter(([field, { required }]) => field !== 'checksum' && (required || proof.includes(field)))
      .map(([field, { required, schema }]) => ({
        name: field,
        place: declared === path ? 'path' : from.startsWith('body') ? 'body' : 'query',
        example: `${(schema as { readonly examples?: readonly (string | number | boolean)[] }).examples?.[0] ?? ''}`,
        isRequired: required,
      })),
  );
  return { name, method, path: at, fields: listed, proof };
}
