import { crc32 } from 'node:zlib';
import type { LineTable } from '#shared/clickhouse/insert-lines.ts';

/**
 * Format of a segment: a header, then frames. A header and a frame are each a length, a checksum and as many bytes.
 * A frame is one group commit. A power failure can cut the last frame, which nobody was answered for; its checksum
 * shows it. The columns are named, so that a later release with other columns can load the segment.
 *
 *     magic "CWAL" | version u32 | length u32 | crc32 u32 | JSON { name, columns } of the table
 *     length u32 | crc32 u32 | rows in RowBinary
 */
const magic = 0x4357414c;
const version = 1;

const fileHeaderBytes = 8;

/** Bytes before the contents of a frame. */
const frameHeaderBytes = 8;

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
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  header.writeUInt32LE(length, 0);
  header.writeUInt32LE(checksum, 4);
  return header;
}

/** Contents of a segment. */
export interface Segment {
  table: LineTable;
  /** Complete frames, in order. */
  frames: Buffer[];
  /** Number of damaged frames with complete ones behind them: the disk lost what it had confirmed. */
  damagedFrames: number;
  /** Bytes behind the last complete frame, of a write that was cut. */
  tornBytes: number;
}

/**
 * Reads a segment. A damaged frame is passed over where complete ones follow.
 * @returns null when its header is cut: it has no frame.
 * @throws {Error} when the file is no segment, or of a later version.
 */
export function decodeSegment(file: Buffer): Segment | null {
  if (file.length < fileHeaderBytes) return null;
  if (file.readUInt32BE(0) !== magic) throw new Error('the file is no segment of a write-ahead log');
  const found = file.readUInt32LE(4);
  if (found !== version) throw new Error(`the segment has version ${found}; this release reads ${version}`);
  const header = frameAt(file, fileHeaderBytes);
  if (header === null || !header.isComplete) return null;
  const frames: Buffer[] = [];
  let { end } = header;
  let [damagedFrames, passedOver] = [0, 0];
  for (let frame = frameAt(file, end); frame !== null; frame = frameAt(file, frame.end)) {
    if (!frame.isComplete) {
      passedOver += 1;
      continue;
    }
    frames.push(frame.contents);
    damagedFrames += passedOver;
    passedOver = 0;
    end = frame.end;
  }
  const table = JSON.parse(header.contents.toString()) as LineTable;
  return { table, frames, damagedFrames, tornBytes: file.length - end };
}

/** Frame at an offset of a file. */
interface Frame {
  contents: Buffer;
  /** True when the checksum matches. */
  isComplete: boolean;
  /** Offset behind it. */
  end: number;
}

/** Returns the frame at an offset, or null when the file has no room for it. */
function frameAt(file: Buffer, offset: number): Frame | null {
  const start = offset + frameHeaderBytes;
  if (start > file.length) return null;
  const end = start + file.readUInt32LE(offset);
  // A frame has contents: zeros behind the last one are none.
  if (end === start || end > file.length) return null;
  const contents = file.subarray(start, end);
  return { contents, isComplete: crc32(contents) === file.readUInt32LE(offset + 4), end };
}
