import smpp from 'smpp';

/** An SMS as it travels: one part, or several that the phone joins again. */
type SmsParts = {
  /** SMPP's data_coding: 0 the SMS alphabet (GSM 03.38), 8 UCS-2. */
  readonly dataCoding: 0 | 8;
  readonly isJoined: boolean;
  readonly parts: readonly Buffer[];
};

/** 140 octets hold 160 characters of seven bits, or 70 of sixteen. In joined parts the header takes seven or three of them. */
const GSM = { alone: 160, joined: 153 };
const UCS2 = { alone: 140, joined: 134 };
const GSM_ESCAPE = 0x1b;

/**
 * Cuts a text into the parts of an SMS, in the SMS alphabet when that has all its characters.
 * Shape: text; reference from 0 to 255, by which a phone finds the parts of one message → parts with their headers.
 */
export function smsParts(text: string, reference: number): SmsParts {
  const isGsm = smpp.encodings.ASCII.match(text);
  const encoded = isGsm ? smpp.encodings.ASCII.encode(text) : Buffer.from(text, 'utf16le').swap16();
  const { alone, joined } = isGsm ? GSM : UCS2;
  const dataCoding = isGsm ? 0 : 8;
  if (encoded.length <= alone) return { dataCoding, isJoined: false, parts: [encoded] };
  const pieces = cut(encoded, joined, isGsm);
  // User data header of five octets: concatenation, with eight bits of reference.
  const parts = pieces.map((piece, index) => Buffer.concat([Buffer.from([5, 0, 3, reference, pieces.length, index + 1]), piece]));
  return { dataCoding, isJoined: true, parts };
}

function cut(encoded: Buffer, size: number, isGsm: boolean): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < encoded.length;) {
    let end = Math.min(start + size, encoded.length);
    // Two that make one character are not separated: an escape and its sign, a high and a low surrogate.
    if (end < encoded.length && (isGsm ? encoded[end - 1] === GSM_ESCAPE : isHighSurrogate(encoded, end - 2))) end -= isGsm ? 1 : 2;
    pieces.push(encoded.subarray(start, end));
    start = end;
  }
  return pieces;
}

const isHighSurrogate = (encoded: Buffer, at: number): boolean => (encoded.readUInt16BE(at) & 0xfc00) === 0xd800;
