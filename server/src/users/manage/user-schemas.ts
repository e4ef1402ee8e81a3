import { Type } from 'typebox';
import { schemas } from '../../manage/index.ts';
import type { ListedSession } from '../sessions.ts';
import type { User } from '../user.ts';

const { instant, merchantId, oneOf, orNull, answerObject } = schemas;

export const id = Type.String({ maxLength: 16, pattern: '^[0-9a-f]{16}$', examples: ['0af3c2d1e4b50a91'] });
export const email = Type.String({ maxLength: 254, examples: ['ana@example.com'] });
export const password = Type.String({ maxLength: 1000, examples: ['nine blue herons at dusk'] });
export const name = Type.String({ maxLength: 100, examples: ['Ana'] });
export const language = oneOf(['es', 'en', 'pt'], 'The language of pages and mails.');
export const role = oneOf(
  ['owner', 'operations', 'finance', 'support', 'auditor', 'administrator', 'clerk', 'viewer'],
  'What the user may do. The last three are of one merchant.',
);

/** A user as it is shown. */
export const USER = answerObject({
  id,
  email,
  name,
  role,
  merchant: orNull(merchantId),
  language,
  state: oneOf(['invited', 'active', 'disabled'], 'Only an active user signs in.'),
  version: Type.Integer(),
  createdAt: instant,
  updatedAt: instant,
});

export const showUser = (user: User): object => ({
  id: user.userId,
  email: user.email,
  name: user.name,
  role: user.role,
  merchant: user.merchantId,
  language: user.language,
  state: user.state,
  version: user.version,
  createdAt: user.createdAt.toString(),
  updatedAt: user.updatedAt.toString(),
});

/** The members of a session. */
export const SESSION = {
  id,
  createdAt: instant,
  seenAt: instant,
  endsAt: instant,
  address: Type.String({ maxLength: 50 }),
  browser: Type.String({ maxLength: 200, description: 'What the browser says of itself.' }),
};

export const showSession = ({ sessionId, createdAt, seenAt, expiresAt, address, browser }: ListedSession) => ({
  id: sessionId,
  createdAt: createdAt.toString(),
  seenAt: seenAt.toString(),
  endsAt: expiresAt.toString(),
  address,
  browser,
});

export const NOT_A_USER = {
  status: 403,
  title: 'Only a user has this',
  meaning: 'Access tokens have no password, codes or sessions. Sign in as a user.',
} as const;
export const SIGN_IN_REFUSED = {
  status: 401,
  title: 'The proof is not right',
  meaning: 'The e-mail, password or code is wrong, or the account may not sign in; the response does not say which. A code works once.',
  words: {
    es: 'El código no es correcto. Espere el siguiente: cada uno sirve una sola vez',
    en: 'The code is not right. Wait for the next one: each works once',
    pt: 'O código não está certo. Espere o próximo: cada um vale uma vez',
  },
} as const;
export const PASSWORD_REFUSED = {
  status: 422,
  title: 'This password may not be chosen',
  meaning: 'Use 12 to 256 characters that are hard to guess and do not contain the e-mail address.',
  words: {
    es: 'Elija otra contraseña, de 12 a 256 caracteres',
    en: 'Choose another password, of 12 to 256 characters',
    pt: 'Escolha outra senha, de 12 a 256 caracteres',
  },
} as const;
