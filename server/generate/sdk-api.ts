import type { Declaration } from '../src/kit/fields.ts';
import { currenciesWithoutCents } from '../src/kit/money.ts';
import { FAULTS_BY_STATUS } from '../src/main/openapi.ts';
import { CONTRACT_DIALECT, shownRefusals, type Operation } from '../src/requests/index.ts';
import { INDENT, quote, typeOf, type Schema } from './type-text.ts';

type Described = Operation<never>;

const ORIGIN = '// Made by `npm run generate` from the declarations of the operations.';
/** The client adds these itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['merchant', 'checksum']);

/** Writes what the client in `sdk/` knows of the operations of merchants. Shape: path from the root → text. */
export function renderSdkApi(operations: readonly Described[]): ReadonlyMap<string, string> {
  const own = operations.filter(({ caller }) => caller === 'merchant');
  const text = [
    ORIGIN,
    renderCodes(own),
    `/** Decimals of the currencies that have no hundredths. */\n${renderDecimals()}`,
    ...own.map(renderOperation),
  ];
  return new Map([['sdk/src/generated/operations.ts', `${text.join('\n\n')}\n`]]);
}

const renderDecimals = (): string => `export const DECIMALS: Readonly<Record<string, number>> = ${JSON.stringify(currenciesWithoutCents)};`;

const union = (all: readonly string[]): string =>
  [...new Set(all)]
    .toSorted()
    .map((one) => `\n${INDENT}| ${quote(one)}`)
    .join('');

/** The codes and names of all refusals and faults. */
function renderCodes(operations: readonly Described[]): string {
  const faults = FAULTS_BY_STATUS.map(
    ([, name, description]) => [/Code ([0-9]{4})/.exec(description)?.[1] as string, snake(name)] as const,
  );
  const refusals = operations.flatMap((operation) => shownRefusals(operation).map(({ code, name }) => [code, name] as const));
  return `/** A result code that is no success. */
export type AnswerCode =${union([...refusals, ...faults].map(([code]) => code))};

/** The names of refusals and faults. */
export type AnswerReason =${union([...refusals, ...faults].map(([, name]) => name))};

/** The codes of what is not a business answer. */
export const FAULTS = ${quote(pairs(faults))};`;
}

const snake = (name: string): string => name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
const pairs = (all: readonly (readonly [code: string, name: string])[]): string => all.map((pair) => pair.join(' ')).join(',');

function renderOperation(operation: Described): string {
  const { name, route, path = {}, fields, proof, data } = operation;
  const type = name.replace(/^./, (first) => first.toUpperCase());
  const refusals = shownRefusals(operation).map((refusal) => [refusal.code, refusal.name] as const);
  const described = { route, proof, refusals: pairs(refusals) };
  const schemas = [data(CONTRACT_DIALECT)].flat().map((schema) => typeOf(schema as Schema, 1));
  return `export type ${type} = {
${INDENT}readonly fields: ${typeOfFields({ ...path, ...fields })};
${INDENT}readonly data: ${schemas.join(' | ')};
};
export const ${name} = ${JSON.stringify(described, null, 2)} as const;`;
}

/** The fields that a caller of the client gives, each with what its declaration says. */
function typeOfFields(declaration: Declaration): string {
  const lines = Object.entries(declaration)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, { required, schema }]) => {
      const { description, enum: values } = schema as Schema & { readonly description: string };
      const type = values === undefined ? 'string' : 'boolean';
      const indent = INDENT.repeat(2);
      return `${indent}/** ${description} */\n${indent}readonly ${name}${required ? `: ${type}` : `?: ${type} | undefined`};`;
    });
  return `{\n${lines.join('\n')}\n${INDENT}}`;
}
