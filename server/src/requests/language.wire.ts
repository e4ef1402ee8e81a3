import { text } from '../kit/fields.ts';

/** What an operation takes beside its own fields, as the OpenAPI document shows it: contract §2.1. */
export const languageParameter = {
  language: text({
    required: false,
    max: 2,
    pattern: /^(?:es|en|pt)?$/,
    description: "The language of a refusal's text, es, en or pt; anything else counts as missing.",
    example: 'es',
    form: { es: 'es, en o pt', en: 'es, en or pt', pt: 'es, en ou pt' },
  }),
};
