// A command asks a running service by --url, unless it is here.

const SETTINGS = 'it uses the settings of this machine';
const MASTER_KEY = 'keys are replaced where the master key is';
const BACKUP = 'a backup copies the files of a database of this machine';

/** The commands that work on a database alone, and why. A command that is here refuses `--url`. */
export const WITHOUT_URL: Readonly<Record<string, string>> = {
  try: 'it reads the secret of the demo merchant on this machine: name the server by --server',
  sign: 'no service shows a secret: the secret is of this machine',
  'cells create': 'it works on the database itself, as its owner',
  'cells move': 'it works on the databases themselves, as their owners',
  'cells reconnect': 'it works on the database itself, as its owner',
  'cells verify': 'the proof reads all databases',
  'cells claim-again': 'it works on all databases',
  'orders pay': 'what an operator was paid is recorded where the money is kept',
  'cashouts import': 'a file is copied straight into the database',
  doctor: 'it looks at this machine and its database',
  serve: 'it is the service',
  verify: 'the proof reads the whole database in one snapshot',
  'figures rebuild': 'all histories are counted in one snapshot',
  'messages test-mail': SETTINGS,
  'messages test-sms': SETTINGS,
  'service-keys list': MASTER_KEY,
  'service-keys rotate': MASTER_KEY,
  'master-key rotate': MASTER_KEY,
  'master-key status': MASTER_KEY,
  'backup make': BACKUP,
  'backup log': BACKUP,
  'backup list': BACKUP,
  'backup rehearse': BACKUP,
  'upgrade rehearse': BACKUP,
  restore: BACKUP,
};
