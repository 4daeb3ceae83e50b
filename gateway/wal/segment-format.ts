import { crc32 } from 'node:zlib';
import type { LineTable } from '#shared/clickhouse/insert-lines.ts';

/**
 * Format of a segment: a header, then frames. The header and a frame are each a length, two checksums and as many bytes.
 * A frame is one group commit. The columns are named, so that a later release with other columns can load the segment.
 *
 *     magic "CWAL" | version u32 | length u32 | crc32 u32 | crc32 of these two u32 | JSON { name, columns } of the table
 *     length u32 | crc32 u32 | crc32 of these two u32 | rows in RowBinary
 *
 * A crash can cut the last write, whose senders got no answer. The intact header of such a frame announces more bytes than
 * the file has. A frame with a wrong header or wrong contents is damaged. Version 1 had no checksum of the length.
 */
const magic = 0x4357414c;
const version = 2;

const fileHeaderBytes = 8;

/** Bytes before the contents of a frame, by version. */
const frameHeaderBytes = new Map([
  [1, 8],
  [2, 12],
]);

/** Returns the bytes at the front of a segment. */
export function encodeSegmentHeader(table: LineTable): Buffer {
  const described = Buffer.from(JSON.stringify(table));
  const start = Buffer.alloc(fileHeaderBytes);
  start.writeUInt32BE(magic, 0);
  start.writeUInt32LE(version, 4);
  return Buffer.concat([start, encodeFrameHeader([described]), described]);
}

/** Returns the bytes before a frame with these contents. */
export function encodeFrameHeader(contents: readonly Uint8Array[]): Buffer {
  let length = 0;
  let checksum = 0;
  for (const chunk of contents) {
    length += chunk.byteLength;
    checksum = crc32(chunk, checksum);
  }
  const header = Buffer.allocUnsafe(12);
  header.writeUInt32LE(length, 0);
  header.writeUInt32LE(checksum, 4);
  header.writeUInt32LE(crc32(header.subarray(0, 8)), 8);
  return header;
}

/** Contents of a segment. */
export interface Segment {
  table: LineTable;
  /** Intact frames, in order. */
  frames: Buffer[];
  /** Bytes of damaged frames, and all bytes behind a frame header that is damaged. */
  damagedBytes: number;
  /** Bytes of a write that was cut. */
  tornBytes: number;
}

/**
 * Reads a segment. A frame with damaged contents is passed over.
 * @returns null when its header is cut: it has no frame.
 * @throws {Error} when the header is damaged, or the file is no segment, or of a later version.
 */
export function decodeSegment(file: Buffer): Segment | null {
  if (file.length < fileHeaderBytes) return null;
  if (file.readUInt32BE(0) !== magic) throw new Error('the file is no segment of a write-ahead log');
  const found = file.readUInt32LE(4);
  const headerBytes = frameHeaderBytes.get(found);
  if (headerBytes === undefined) {
    throw new Error(`the segment has version ${found}; this release reads up to ${version}`);
  }
  const header = frameAt(file, fileHeaderBytes, headerBytes);
  if (header.state === 'cut') return null;
  if (header.state !== 'intact') throw new Error('the header of the segment is damaged');
  const frames: Buffer[] = [];
  let damagedBytes = 0;
  let at = header.end;
  while (at < file.length) {
    const frame = frameAt(file, at, headerBytes);
    if (frame.state === 'cut') break;
    if (frame.state === 'intact') frames.push(frame.contents);
    else damagedBytes += frame.end - at;
    at = frame.end;
  }
  const table = JSON.parse(header.contents.toString()) as LineTable;
  return { table, frames, damagedBytes, tornBytes: file.length - at };
}

/** Frame at an offset of a file. */
interface Frame {
  state: 'intact' | 'damaged' | 'cut';
  contents: Buffer;
  /** Offset behind it; the end of the file when its length is unknown. */
  end: number;
}

function frameAt(file: Buffer, offset: number, headerBytes: number): Frame {
  const start = offset + headerBytes;
  const rest = file.subarray(offset);
  const cut = { state: 'cut', contents: rest, end: file.length } as const;
  // A disk that was to take more has zeros behind what it took.
  if (start > file.length || isZero(rest)) return cut;
  const end = start + file.readUInt32LE(offset);
  const isChecked = headerBytes > 8;
  const isDamaged = isChecked && crc32(file.subarray(offset, offset + 8)) !== file.readUInt32LE(offset + 8);
  // Every frame has contents.
  if (isDamaged || end === start) return { state: 'damaged', contents: rest, end: file.length };
  if (end > file.length) return cut;
  const contents = file.subarray(start, end);
  return { state: crc32(contents) === file.readUInt32LE(offset + 4) ? 'intact' : 'damaged', contents, end };
}

function isZero(bytes: Buffer): boolean {
  return bytes[0] === 0 && bytes.every((byte) => byte === 0);
}
