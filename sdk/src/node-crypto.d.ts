// The package has no types of Node: it runs elsewhere too.
declare module 'node:crypto' {
  export const webcrypto: Crypto;
}
