import { crc32 } from 'node:zlib';
import t from 'tap';
import {
  decodeSegment,
  encodeFrameHeader,
  encodeSegmentHeader,
  type Segment,
} from '#gateway/wal/segment-format.ts';

const table = { name: 'readings', columns: ['time', 'value'] };
const contents = ['first', 'second, longer', 'third'].map((text) => Buffer.from(text));
const frame = (content: Buffer): Buffer => Buffer.concat([encodeFrameHeader([content]), content]);
const header = encodeSegmentHeader(table);
const file = Buffer.concat([header, ...contents.map(frame)]);
const frameStarts = contents.map((_, index) =>
  contents.slice(0, index).reduce((end, content) => end + frame(content).length, header.length),
);

function decoded(bytes: Buffer): Segment | null | 'unreadable' {
  try {
    return decodeSegment(bytes);
  } catch {
    return 'unreadable';
  }
}

void t.test('reads the frames of a complete segment', async (t) => {
  t.same(decodeSegment(file), { table, frames: contents, damagedBytes: 0, tornBytes: 0 });
  t.same(decodeSegment(header), { table, frames: [], damagedBytes: 0, tornBytes: 0 });
});

void t.test('reads the complete frames of a segment that is cut at any byte', async (t) => {
  const ends = contents.map((_, index) =>
    contents.slice(0, index + 1).reduce((end, content) => end + frame(content).length, header.length),
  );
  const found = Array.from({ length: file.length }, (_, length) => {
    const segment = decodeSegment(file.subarray(0, length));
    return segment === null ? null : [segment.frames.length, segment.damagedBytes, segment.tornBytes];
  });
  const expected = Array.from({ length: file.length }, (_, length) => {
    const complete = ends.filter((end) => end <= length);
    return length < header.length ? null : [complete.length, 0, length - (complete.at(-1) ?? header.length)];
  });
  t.same(found, expected);
});

void t.test('notices a wrong bit at any byte, and reads only intact frames', async (t) => {
  const unnoticed = Array.from({ length: file.length * 8 }, (_, bit) => {
    const wrong = Buffer.from(file);
    wrong[bit >> 3]! ^= 1 << (bit & 7);
    const read = decoded(wrong);
    if (read === 'unreadable') return [];
    const areIntact = read?.frames.every((found) => contents.some((content) => content.equals(found)));
    return areIntact === true && (read?.damagedBytes ?? 0) > 0 ? [] : [bit >> 3];
  });
  t.same([...new Set(unnoticed.flat())], []);
});

void t.test('notices a length of zero in any header', async (t) => {
  const starts = [8, ...frameStarts];
  const found = starts.map((start) => {
    const read = decoded(Buffer.from(file).fill(0, start, start + 4));
    return read === 'unreadable' ? read : [read?.frames.length, read?.damagedBytes];
  });
  t.same(found, ['unreadable', ...frameStarts.map((start, index) => [index, file.length - start])]);
});

void t.test('passes over a damaged frame', async (t) => {
  const wrong = Buffer.from(file);
  const damaged = frame(contents[1]!);
  wrong.write('S', (frameStarts[2] ?? 0) - contents[1]!.length);
  t.same(decodeSegment(wrong), {
    table,
    frames: [contents[0], contents[2]],
    damagedBytes: damaged.length,
    tornBytes: 0,
  });
});

void t.test('reads a segment of version 1, which has no checksum of a length', async (t) => {
  const [first, second] = contents.map((content) => {
    const start = Buffer.alloc(8);
    start.writeUInt32LE(content.length, 0);
    start.writeUInt32LE(crc32(content), 4);
    return Buffer.concat([start, content]);
  });
  const described = Buffer.from(JSON.stringify(table));
  const start = Buffer.from('CWAL\x01\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  start.writeUInt32LE(described.length, 8);
  start.writeUInt32LE(crc32(described), 12);
  const old = Buffer.concat([start, described, first!, second!]);
  const frames = contents.slice(0, 2);
  t.same(decodeSegment(old), { table, frames, damagedBytes: 0, tornBytes: 0 });
  t.match(decodeSegment(old.subarray(0, -1)), { frames: frames.slice(0, 1), damagedBytes: 0 });
});

void t.test('does not take zeros behind the last frame for frames', async (t) => {
  const { frames, damagedBytes, tornBytes } = decodeSegment(Buffer.concat([file, Buffer.alloc(64)])) ?? {};
  t.same([frames?.length, damagedBytes, tornBytes], [3, 0, 64]);
});

void t.test('refuses another file and a segment of a later release', async (t) => {
  t.throws(() => decodeSegment(Buffer.from('not a segment')), { message: /no segment/ });
  const later = Buffer.from(file);
  later.writeUInt32LE(3, 4);
  t.throws(() => decodeSegment(later), { message: /version 3/ });
});
