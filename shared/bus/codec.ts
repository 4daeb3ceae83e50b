import { Packr } from 'msgpackr';

// Records are written inside every message: members share no state, so any member reads any message.
const packr = new Packr({ moreTypes: true, useBigIntExtension: true });

/**
 * Plain data to bytes: besides JSON's values also Date, Map, Set, bigint, undefined and binary.
 * @throws {Error} on what is no data (a symbol).
 */
export function encode(value: unknown): Buffer {
  return packr.pack(value);
}

/** The value that `encode` was given; binary arrives as Buffer, whatever carried the bytes. */
export function decode(bytes: Uint8Array): unknown {
  return packr.unpack(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
