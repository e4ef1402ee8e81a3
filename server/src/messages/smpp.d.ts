// The part of the package `smpp` that is used here; it brings no types of its own.
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server as NetServer } from 'node:net';

  export type Pdu = {
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    response(options?: Readonly<Record<string, unknown>>): Pdu;
    readonly [parameter: string]: unknown;
  };

  export type Command = (options: Readonly<Record<string, unknown>>, onResponse: (pdu: Pdu) => void) => boolean;

  export type Session = EventEmitter & {
    readonly bind_transceiver: Command;
    readonly submit_sm: Command;
    readonly enquire_link: Command;
    readonly unbind: Command;
    /** False when the socket takes nothing any more; the callback is then never called. */
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
  };

  const smpp: {
    connect(options: { host: string; port: number; tls: boolean; servername?: string }): Session;
    createServer(onSession: (session: Session) => void): NetServer & { readonly sessions: Session[] };
    /** GSM 03.38, one septet to an octet. */
    readonly encodings: { readonly ASCII: { match(text: string): boolean; encode(text: string): Buffer; decode(octets: Buffer): string } };
  };
  export default smpp;
}
