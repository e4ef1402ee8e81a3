import { Type, type TSchema } from 'typebox';
import type { Field } from '../kit/fields.ts';
import type { FaultEnvelope } from '../kit/http.ts';
import { isJsonNumber } from '../kit/json.ts';
import type { DeclaredRefusal, Envelope } from '../requests/index.ts';

/** The envelope of faults under `/sandbox/`: contract §2.1, §7.6. */
export const sandboxFaults: FaultEnvelope = { prefix: '/sandbox/', renderFault: ({ code, text }) => ({ code, text, data: {} }) };

/** How the sandbox's operations wrap their answers, in the form of the cashouts'. Its texts are for developers: English unless asked. */
export const sandboxEnvelope: Envelope = {
  malformed: 'parameter_invalid',
  language: 'en',
  refusal: (code, text) => ({ code, text, data: {} }),
  text: ({ text }, { field = '' }, _form, language) => text?.[language] ?? field,
  unreadable: ({ source, rule }) => ({ field: source, rule }),
  schema: (...data) => answerSchema(['code', 'text', 'data'], data),
};

/** The simulations of payments answer in the envelope of the orders' operations. */
export const simulatedOrderEnvelope: Envelope = { ...sandboxEnvelope, schema: (...data) => answerSchema(['CODE', 'DESC', 'DATA'], data) };

const answerSchema = ([code, text, data]: readonly [code: string, text: string, data: string], of: readonly TSchema[]): TSchema =>
  Type.Object({
    [code]: textSchema('The result: 0000 is success, anything else a refusal.', '0000'),
    [text]: textSchema('OK, or what is wrong.', 'OK'),
    [data]: Type.Union([...of, Type.Object({}, { additionalProperties: false, description: 'Empty on a refusal.' })]),
  });

/** A text in the OpenAPI document, with an example. */
export const textSchema = (description: string, example: string): TSchema => Type.String({ description, examples: [example] });

/** A value that is checked later: a text as sent, a number as its text, nothing for other types. */
export const asSent = (description: string, example: string): Field<string, false> => ({
  required: false,
  schema: textSchema(description, example),
  read: (value) => ({ value: isJsonNumber(value) ? value.text : typeof value === 'string' ? value : '' }),
});

/** A success with its data. */
export const doneAnswer = (data: object) => ({ status: 200, etag: null, body: JSON.stringify({ code: '0000', text: 'OK', data }) });

/** A parameter is missing or malformed (contract §4.4). */
export const PARAMETER_INVALID_CODE = '0019';

/** The body of a simulation is not a JSON object. */
export const NO_OBJECT = {
  code: PARAMETER_INVALID_CODE,
  text: { es: 'El cuerpo es un objeto JSON', en: 'The body is a JSON object', pt: 'O corpo é um objeto JSON' },
  meaning: 'The body is not a JSON object. Everything else is refused as it would be to a network, with the same codes.',
} as const satisfies DeclaredRefusal;
