/** Node's codes for a certificate that is not trusted here, or is not of that host. */
const WRONG_CERTIFICATE = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/;

/** `whose`: the server that showed it. `nameIt`: what to do where it is of another host. */
type Shown = { readonly whose: string; readonly nameIt: string };

/**
 * Says what is wrong with a certificate, and what to do. Each fault has its own remedy: an authority of your own repairs only the last one.
 * Shape: an error, or the code of one → a sentence. Undefined: it is another fault.
 */
export function explainCertificate(error: unknown, { whose, nameIt }: Shown): string | undefined {
  const code = typeof error === 'string' ? error : (((error as Error).cause ?? error) as { code?: unknown }).code;
  if (typeof code !== 'string' || !WRONG_CERTIFICATE.test(code)) return undefined;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${whose} has ended, or has not begun: renew it there, or set the clock of this machine right.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${whose} is of another host: ${nameIt}.`;
  return `The certificate of ${whose} is not trusted here. NODE_EXTRA_CA_CERTS=FILE adds your own certificate authority. It is read at the start.`;
}
