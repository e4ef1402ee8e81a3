import { Option } from 'commander';
import { CommandRefused } from '../../kit/command-line.ts';

export const paymentOption = new Option('--payment <number>', 'which payment of a recurrent order; the last one where absent');

/** Reads it. Throws: CommandRefused for what is no number from 1. */
export function whichPayment(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9][0-9]{0,8}$/.test(text)) throw new CommandRefused('--payment takes a number from 1.', 2);
  return text === undefined ? undefined : Number(text);
}
