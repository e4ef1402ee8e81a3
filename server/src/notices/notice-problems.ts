/**
 * Why a notice did not arrive, as it is stored and as the API shows it.
 * What a receiver answers is `HTTP` with its status. Any other fault of a connection is its code, such as CERT_HAS_EXPIRED.
 * The console has words for each of them, in its languages.
 */
export const NOTICE_PROBLEMS = {
  unaddressed: 'the merchant has no notice URL',
  paused: 'not sent in time: the endpoint was paused',
  hashUnreadable: 'the notice hash cannot be read',
  changesLost: 'the history lacks what changed',
  notHttps: 'the URL is not https',
  notAllowed: 'the address is not allowed',
  noName: 'the name does not resolve',
  refused: 'connection refused',
  broken: 'the connection broke',
  noConnection: 'no connection in time',
  noAnswer: 'no answer in time',
  unknown: 'unknown',
} as const;
