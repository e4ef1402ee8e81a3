import { Type, type TSchema } from 'typebox';
import type { Texts } from '../kit/fields.ts';
import type { FaultEnvelope } from '../kit/http.ts';
import type { Language } from '../kit/language.ts';
import type { PageLinks } from '../kit/lists/numbered-pages.ts';
import type { FieldRule, RefusalDetail } from '../kit/outcome.ts';
import type { Answer, DeclaredRefusal, Envelope } from '../requests/index.ts';

const success = (body: object): Answer => ({ status: 200, etag: null, body: JSON.stringify(body) });

/** The success of an operation: contract §2.1. */
export const cashoutAnswer = (data: object): Answer => success({ code: '0000', text: 'OK', data });

const NO_LINKS: PageLinks = { first: '', previous: '', next: '', end: '' };

/** The success of an operation that answers a list: contract §4.1. */
export const listAnswer = ({ first, previous, next, end }: PageLinks, data: readonly object[]): Answer =>
  success({ code: '0000', text: 'OK', first, previous, next, end, data });

const RESULT_SCHEMAS = {
  code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
  text: Type.String({ description: 'OK, or what is wrong: the field and the rule.', examples: ['OK'] }),
};
const EMPTY: TSchema = Type.Object({}, { additionalProperties: false, description: 'Empty on a refusal.' });

/** How the operations on cashouts wrap their answers: contract §2.1. */
export const cashoutEnvelope: Envelope = {
  malformed: 'parameter_invalid',
  language: 'es',
  refusal: (code, text) => ({ code, text, data: {} }),
  text: refusalText,
  unreadable: ({ source, rule, name }) => ({ field: name ?? source, rule }),
  schema: (...data) => Type.Object({ ...RESULT_SCHEMAS, data: Type.Union([...data, EMPTY]) }),
};

/** How operations wrap a list of items with links: contract §4.1. `links` is for the OpenAPI document. */
export const listEnvelope = (links: PageLinks<TSchema>): Envelope => ({
  ...cashoutEnvelope,
  refusal: renderEmptyList,
  schema: (item = EMPTY) => Type.Object({ ...RESULT_SCHEMAS, ...links, data: Type.Array(item, { description: 'Empty on a refusal.' }) }),
});

function renderEmptyList(code: string, text: string): object {
  return { code, text, ...NO_LINKS, data: [] };
}

const renderFault: FaultEnvelope['renderFault'] = ({ code, text }) => renderEmptyList(code, text);

/** The paths of contract §4 and their envelope of faults. It is the list's, which clients can read as that of any other operation. */
export const cashoutFaults: FaultEnvelope = { prefix: '/cashout/', renderFault };

/** The same under the paths that only the sandbox answers (contract §4). */
export const sandboxCashoutFaults: FaultEnvelope = { prefix: '/v1/', renderFault };

/** What was refused, then the field and the rule that it broke. Each refusal of a cashout has a text of its own. */
function refusalText(
  { text }: DeclaredRefusal,
  { field, rule, limit }: RefusalDetail,
  form: Texts | undefined,
  language: Language,
): string {
  const what = (text as Texts)[language];
  if (field === undefined) return what;
  if (rule === undefined) return `${what}: ${field}`;
  const broken = `${what}: ${field} ${RULES[language][rule].replace('#', String(limit))}`;
  return rule === 'shape' && form !== undefined ? `${broken}: ${form[language]}` : broken;
}

/** The texts of the rules of fields. `#` is replaced by the rule's limit. */
const RULES: Readonly<Record<Language, Readonly<Record<FieldRule, string>>>> = {
  es: {
    required: 'es obligatorio',
    type: 'no es del tipo esperado',
    length: 'tiene más de # caracteres',
    shape: 'no tiene la forma esperada',
    range: 'está fuera de los límites',
    unknown: 'no es un parámetro de esta operación',
    repeated: 'está repetido',
    frozen: 'está congelado por el operador: por ahora solo puede consultar',
  },
  en: {
    required: 'is required',
    type: 'is not of the expected type',
    length: 'has more than # characters',
    shape: 'does not have the expected form',
    range: 'is out of range',
    unknown: 'is not a parameter of this operation',
    repeated: 'is repeated',
    frozen: 'is frozen by the operator: it can only read for now',
  },
  pt: {
    required: 'é obrigatório',
    type: 'não é do tipo esperado',
    length: 'tem mais de # caracteres',
    shape: 'não tem a forma esperada',
    range: 'está fora dos limites',
    unknown: 'não é um parâmetro desta operação',
    repeated: 'está repetido',
    frozen: 'está congelado pelo operador: por enquanto só pode consultar',
  },
};
