import type { AddressInfo } from 'node:net';
import smpp, { type Pdu, type Session } from 'smpp';

export type SmppPeer = {
  readonly port: number;
  /** Every bind and every submit_sm, as they arrived. */
  readonly binds: readonly Pdu[];
  readonly submitted: readonly Pdu[];
  /** Statuses with which the next submits are answered; 'drop' ends the session instead. */
  readonly answers: (number | 'drop')[];
  /** Statuses with which the next binds are answered. */
  readonly bindAnswers: number[];
  /** Ends every session, as an SMS centre does that restarts. */
  dropAll(): Promise<void>;
  close(): Promise<void>;
};

/** An SMS centre in this process. */
export async function startSmppPeer(): Promise<SmppPeer> {
  const binds: Pdu[] = [];
  const submitted: Pdu[] = [];
  const answers: (number | 'drop')[] = [];
  const bindAnswers: number[] = [];
  const server = smpp.createServer((session: Session) => {
    session.on('error', () => undefined); // The client may go away first.
    session.on('bind_transceiver', (pdu: Pdu) => {
      binds.push(pdu);
      session.send(pdu.response({ command_status: bindAnswers.shift() ?? 0 }));
    });
    session.on('submit_sm', (pdu: Pdu) => {
      submitted.push(pdu);
      const status = answers.shift() ?? 0;
      if (status === 'drop') session.destroy();
      else session.send(pdu.response({ command_status: status, message_id: String(submitted.length) }));
    });
    session.on('enquire_link', (pdu: Pdu) => void session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const dropAll = async (): Promise<void> => {
    await Promise.all(
      [...server.sessions].map((session) => {
        const closed = new Promise((resolve) => session.on('close', resolve));
        session.destroy();
        return closed;
      }),
    );
  };
  return {
    port: (server.address() as AddressInfo).port,
    binds,
    submitted,
    answers,
    bindAnswers,
    dropAll,
    close: async () => {
      await dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
