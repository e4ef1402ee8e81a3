/**
 * Why a message did not go out, where the service itself says so. It is stored, and the API shows it.
 * All other problems are codes of the other side or of the connection, such as `EENVELOPE 550 5.1.1`.
 * The console has words for each of these, in its languages.
 */
export const MESSAGE_PROBLEMS = {
  fault: 'fault',
  overLimit: 'recipient limit',
  noChannel: 'no channel',
  superseded: 'superseded',
  tooLate: 'too late',
  badAddress: 'address',
  badNumber: 'number',
  timeout: 'timeout',
  closed: 'closed',
  protocol: 'protocol',
  erased: 'erased',
  unknown: 'unknown',
} as const;
