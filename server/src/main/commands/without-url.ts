// A command asks a running service by --url, unless it is here.

const SETTINGS = 'it uses the settings of this machine';
const ALONE = 'it works on the database alone';
const MASTER_KEY = 'keys are replaced where the master key is';
const CHAIN = 'it needs the key that signs the chain: "audit list" reads acts from a service';

/** The commands that work on a database alone, and why. A command that is here refuses `--url`. */
export const WITHOUT_URL: Readonly<Record<string, string>> = {
  'orders show': ALONE,
  'cashouts show': ALONE,
  'orders pay': 'what an operator was paid is recorded where the money is kept',
  'cashouts import': 'a file is copied straight into the database',
  'audit verify': CHAIN,
  'audit export': CHAIN,
  'audit checkpoint': CHAIN,
  verify: 'the proof reads the whole database in one snapshot',
  'figures rebuild': 'all histories are counted in one snapshot',
  'messages list': 'a service lists messages one by one, at GET /manage/v1/messages',
  'messages test-mail': SETTINGS,
  'messages test-sms': SETTINGS,
  'service-keys list': MASTER_KEY,
  'service-keys rotate': MASTER_KEY,
  'master-key rotate': MASTER_KEY,
  'master-key status': MASTER_KEY,
  'cashouts limits': ALONE,
  day: ALONE,
  'notices show': ALONE,
  'people export': ALONE,
  'people erase': ALONE,
};
