import { expect, test } from 'vitest';
import { checkText } from './rules.ts';

const ID = { pattern: '^[A-Za-z0-9_.-]{1,50}$' };

test.each([
  [ID, 'Panadería El Sol', { rule: 'characters', letters: 'letters', hasDigits: true, marks: '_ . -' }],
  [ID, 'a'.repeat(51), { rule: 'too-long', bound: 50 }],
  [{ pattern: '^[a-z0-9_-]{1,30}$' }, 'Red', { rule: 'characters', letters: 'small', hasDigits: true, marks: '_ -' }],
  [{ pattern: '^[0-9]{1,18}$' }, '12a', { rule: 'characters', letters: undefined, hasDigits: true, marks: '' }],
  [{ pattern: '^[A-Z]{3}$' }, 'CO', { rule: 'form' }],
  [{ pattern: '^2[0-9]{3}' }, '1999', { rule: 'form' }],
  [{ pattern: '^(?:[^\\s@]+@[^\\s@.]+\\.[^\\s@.]+)?$' }, 'maria', { rule: 'email' }],
  [ID, 'shop_1.a-b', undefined],
])('%j takes %j, or says what it takes', (rule, text, broken) => expect(checkText(rule, text)).toEqual(broken));
