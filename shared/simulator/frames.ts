import { randomFillSync } from 'node:crypto';

/** Frame types of RFC 6455 section 5.2. */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Bit of the first byte of a compressed message (RFC 7692 §6), to be combined with the frame type. */
export const compressedBit = 0x40;

/** The peer broke RFC 6455; `code` is the close code to answer with (section 7.4.1). */
export class FrameError extends Error {
  override name = 'FrameError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const keys = Buffer.allocUnsafeSlow(4096);
let nextKey = keys.length;

/**
 * Returns the offset of the payload in a client frame of that many bytes: after 2 to 10 bytes of header and 4
 * of key.
 */
export function payloadOffset(length: number): number {
  if (length < 126) return 6;
  return length < 65536 ? 8 : 14;
}

/**
 * A finished client frame, masked with a random key (section 5.3). The payload can be patched in place
 * afterwards: its key stands in the four bytes before `payloadOffset`.
 */
export function encodeFrame(type: number, payload: Buffer | string): Buffer {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  const body = payloadOffset(length);
  const frame = Buffer.allocUnsafe(body + length);
  frame[0] = 0x80 | type;
  if (body === 6) {
    frame[1] = 0x80 | length;
  } else if (body === 8) {
    frame[1] = 0x80 | 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 0x80 | 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  if (nextKey === keys.length) {
    randomFillSync(keys);
    nextKey = 0;
  }
  keys.copy(frame, body - 4, nextKey, nextKey + 4);
  nextKey += 4;
  if (typeof payload === 'string') frame.write(payload, body);
  else payload.copy(frame, body);
  for (let at = 0; at < length; at++) {
    frame[body + at] = (frame[body + at] ?? 0) ^ (frame[body - 4 + (at & 3)] ?? 0);
  }
  return frame;
}

/** Returns the payload of a client frame, without its mask. */
export function payloadOf(frame: Buffer): Buffer {
  const short = (frame[1] ?? 0) & 0x7f;
  const body = short < 126 ? 6 : short === 126 ? 8 : 14;
  const payload = Buffer.from(frame.subarray(body));
  for (let at = 0; at < payload.length; at++) {
    payload[at] = (payload[at] ?? 0) ^ (frame[body - 4 + (at & 3)] ?? 0);
  }
  return payload;
}

/** A whole frame; `payload` may be a view of the read buffer and is valid only until the callback returns. */
type FrameCallback = (type: number, final: boolean, payload: Buffer, isCompressed: boolean) => void;

/** Cuts the byte stream of a server into frames, whatever pieces it arrives in. */
export class FrameParser {
  readonly #onFrame: FrameCallback;
  readonly #maxBytes: number;
  readonly #allowedBits: number;
  readonly #header = Buffer.allocUnsafe(10);
  #headerBytes = 0;
  #body: Buffer | undefined;
  #filled = 0;

  constructor(maxBytes: number, onFrame: FrameCallback, mayBeCompressed = false) {
    this.#maxBytes = maxBytes;
    this.#allowedBits = mayBeCompressed ? compressedBit : 0;
    this.#onFrame = onFrame;
  }

  /** Takes the next bytes; calls back for every frame they complete. Throws FrameError. */
  push(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#body === undefined) {
        offset = this.#readHeader(chunk, offset);
        if (this.#headerBytes < this.#headerSize()) return;
        const length = this.#payloadLength();
        if (chunk.length - offset >= length) {
          this.#finish(chunk.subarray(offset, offset + length));
          offset += length;
          continue;
        }
        this.#body = Buffer.allocUnsafe(length);
        this.#filled = 0;
      }
      const copied = chunk.copy(this.#body, this.#filled, offset);
      offset += copied;
      this.#filled += copied;
      if (this.#filled === this.#body.length) this.#finish(this.#body);
    }
  }

  #readHeader(chunk: Buffer, offset: number): number {
    while (offset < chunk.length && this.#headerBytes < this.#headerSize()) {
      this.#header[this.#headerBytes++] = chunk[offset++] ?? 0;
    }
    return offset;
  }

  #headerSize(): number {
    if (this.#headerBytes < 2) return 2;
    const second = this.#header[1] ?? 0;
    if ((second & 0x80) !== 0) throw new FrameError(1002, 'a server must not mask its frames');
    if (((this.#header[0] ?? 0) & 0x70 & ~this.#allowedBits) !== 0)
      throw new FrameError(1002, 'reserved bits are set');
    if (second < 126) return 2;
    return second === 126 ? 4 : 10;
  }

  #payloadLength(): number {
    const short = this.#header[1] ?? 0;
    let length = short;
    if (short === 126) length = this.#header.readUInt16BE(2);
    else if (short === 127) length = Number(this.#header.readBigUInt64BE(2));
    if (length > this.#maxBytes) throw new FrameError(1009, `a frame of ${length} bytes is too big`);
    const first = this.#header[0] ?? 0;
    if ((first & 0x08) !== 0 && (short > 125 || (first & 0x80) === 0)) {
      throw new FrameError(1002, 'a control frame must be short and whole');
    }
    return length;
  }

  #finish(payload: Buffer): void {
    const first = this.#header[0] ?? 0;
    this.#headerBytes = 0;
    this.#body = undefined;
    this.#onFrame(first & 0x0f, (first & 0x80) !== 0, payload, (first & compressedBit) !== 0);
  }
}
