import { createPrivateKey } from 'node:crypto';

const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbpuvQtrXaIyjGY/cynOa0A2Eo3S098iM3QSbQ59264KhRANCAAQud3WGJ9cSujKyTHLceYVFa+1c' +
  'ISOThUWla03yPtRZ4rhBs/kb4UEsW1lT6k3pbZm5hGplmnnNHalxGiAKCcQa';
const CERTIFICATE =
  'MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVB' +
  'AMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC53dYYn1xK6MrJMctx5hUVr7VwhI5OFRaVrTfI+1FniuEGz+RvhQSxbWVPqTeltmbmEamWaec' +
  '0dqXEaIAoJxBqjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBQxq2CszTeknwanwIuI2Cl7bsBi0jAKBgg' +
  'qhkjOPQQDAgNIADBFAiAembT2hQHvLlVNWcJSMNwPcd9cdoSYQMue/dyPASRVaAIhAMDea92Q5m7ebnqKayJQA+GZqmmr58/ezzg5LTXyYuaN';
/** A certificate of localhost and 127.0.0.1, signed by itself, from 2020 on. It proves nothing to anybody. */
export const OWN_CERTIFICATE = {
  key: createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' }),
  cert: `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`,
};
