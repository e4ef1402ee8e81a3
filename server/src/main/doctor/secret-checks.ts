import { loginsOf } from '../../kit/db.ts';
import { FEW_CHARACTERS, hasFewCharacters, isGuessedFirst } from '../../kit/checks/weak-secrets.ts';
import { fault, warning, when, type Ailment, type DoctorCheck } from '../../kit/checks/doctor.ts';
import type { Config } from '../config.ts';
import type { ExaminedServer } from './served.ts';

const FEWEST_CHARACTERS = 12;
/** Of 32 random bytes about 30 differ. Fewer than 20 never happen by chance. */
const FEWEST_DIFFERENT_BYTES = 20;

type Given = { readonly setting: string; readonly secret: string | undefined; readonly user?: string | undefined; readonly remedy: string };

/** Why a text can be guessed. The line never holds the text. */
function weaknessOf({ setting, secret, user, remedy }: Given): readonly Ailment[] {
  if (secret === undefined || secret === '') return [];
  if (isGuessedFirst(secret, user)) return [fault(`the secret in ${setting} is one that is guessed first`, remedy)];
  if (secret.length < FEWEST_CHARACTERS)
    return [warning(`the secret in ${setting} has fewer than ${FEWEST_CHARACTERS} characters`, remedy)];
  return when(hasFewCharacters(secret), () => warning(`the secret in ${setting} has ${FEW_CHARACTERS}`, remedy));
}

/** A key that was typed, or counted up, and not drawn. */
function isGuessable(key: Buffer): boolean {
  const steps = key.subarray(1).map((byte, at) => (byte - (key[at] as number) + 256) % 256);
  return new Set(key).size < FEWEST_DIFFERENT_BYTES || hasFewCharacters(steps);
}

function givenSecrets({ databaseUrl, migrationsUrl, mail, sms, openId }: Config): readonly Given[] {
  const another = 'make another user with a password of "openssl rand -hex 24": docs/operations/database.md, "Two users of the database"';
  const elsewhere = 'change it there to one of "openssl rand -hex 24", then the setting';
  const database = (setting: string, url: string | undefined): readonly Given[] =>
    loginsOf(url).map(({ user, password }) => ({ setting, secret: password, user, remedy: another }));
  return [
    ...database('DATABASE_URL', databaseUrl),
    ...database('CAUDAL_MIGRATIONS_DATABASE_URL', migrationsUrl),
    { setting: 'CAUDAL_SMTP_URL', secret: mail?.login?.password, user: mail?.login?.user, remedy: elsewhere },
    {
      setting: 'CAUDAL_SMS_URL',
      ...(sms?.kind === 'smpp' ? { secret: sms.password, user: sms.user } : { secret: sms?.token }),
      remedy: elsewhere,
    },
    { setting: 'CAUDAL_OIDC_CLIENT_SECRET', secret: openId?.clientSecret, user: openId?.clientId, remedy: elsewhere },
  ];
}

/** Secrets of the settings that can be guessed. A sandbox has nothing to protect. */
export const SECRETS_CHECK: DoctorCheck<ExaminedServer> = {
  name: 'weak secrets',
  look: async ({ config, isSandbox }) => {
    if (isSandbox) return [];
    const guessable = config.masterKeys.filter(({ key }) => isGuessable(key));
    return [
      ...guessable.map(({ id }) =>
        fault(
          `the master key ${id} is not random: who guesses it opens every secret`,
          'put one of "openssl rand -hex 32" before it, then ./caudal master-key rotate: docs/operations/keys.md',
        ),
      ),
      ...givenSecrets(config).flatMap(weaknessOf),
    ];
  },
};
