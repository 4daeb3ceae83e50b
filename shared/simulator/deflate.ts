import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { compressedBit, encodeFrame, opcode, payloadOf } from './frames.ts';

/** Offer of compression in which neither side keeps a window between messages (RFC 7692). */
export const offeredCompression =
  'permessage-deflate; client_no_context_takeover; server_no_context_takeover';

/** End of a flushed block, which a message leaves out (§7.2.1). */
const tail = Buffer.from([0x00, 0x00, 0xff, 0xff]);

const wholeText = 0x80 | opcode.text;

/** Returns whether a client frame is a text that is not compressed. */
export function isText(frame: Buffer): boolean {
  return frame[0] === wholeText;
}

/** Returns a client frame with the same text, compressed. */
export function compressedFrame(frame: Buffer): Buffer {
  return encodeFrame(opcode.text | compressedBit, deflated(payloadOf(frame)));
}

/** Compresses a message. */
export function deflated(message: Buffer | string): Buffer {
  const block = deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH });
  return block.subarray(0, block.length - tail.length);
}

/** Decompresses a message of at most `maxBytes`. Throws for a longer or broken one. */
export function inflated(payload: Buffer, maxBytes: number): Buffer {
  return inflateRawSync(Buffer.concat([payload, tail]), {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: maxBytes,
  });
}
