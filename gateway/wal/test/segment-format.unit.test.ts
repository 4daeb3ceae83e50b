import t from 'tap';
import { decodeSegment, encodeFrameHeader, encodeSegmentHeader } from '#gateway/wal/segment-format.ts';

const table = { name: 'readings', columns: ['time', 'value'] };
const contents = ['first', 'second, longer', 'third'].map((text) => Buffer.from(text));
const frame = (content: Buffer): Buffer => Buffer.concat([encodeFrameHeader([content]), content]);
const header = encodeSegmentHeader(table);
const file = Buffer.concat([header, ...contents.map(frame)]);

void t.test('reads the frames of a complete segment', async (t) => {
  t.same(decodeSegment(file), { table, frames: contents, damagedFrames: 0, tornBytes: 0 });
  t.same(decodeSegment(header), { table, frames: [], damagedFrames: 0, tornBytes: 0 });
});

void t.test('reads the complete frames of a segment that is cut at any byte', async (t) => {
  const ends = contents.map((_, index) =>
    contents.slice(0, index + 1).reduce((end, content) => end + frame(content).length, header.length),
  );
  const found = Array.from({ length: file.length }, (_, length) => {
    const segment = decodeSegment(file.subarray(0, length));
    return segment === null ? null : [segment.frames.length, segment.tornBytes];
  });
  const expected = Array.from({ length: file.length }, (_, length) => {
    const complete = ends.filter((end) => end <= length);
    return length < header.length ? null : [complete.length, length - (complete.at(-1) ?? header.length)];
  });
  t.same(found, expected);
});

void t.test('reads the complete frames of a segment with any wrong byte behind the header', async (t) => {
  const unnoticed = Array.from({ length: file.length - header.length }, (_, offset) => {
    const wrong = Buffer.from(file);
    const at = header.length + offset;
    wrong[at] = 255 - (wrong[at] ?? 0);
    const { frames = [], damagedFrames = 0, tornBytes = 0 } = decodeSegment(wrong) ?? {};
    const areIntact = frames.every((read) => contents.some((content) => content.equals(read)));
    const isNoticed = frames.length < contents.length && (damagedFrames > 0 || tornBytes > 0);
    return areIntact && isNoticed ? [] : [at];
  });
  t.same(unnoticed.flat(), []);
});

void t.test('passes over a damaged frame', async (t) => {
  const wrong = Buffer.from(file);
  wrong.write('S', header.length + frame(contents[0]!).length + 8);
  t.same(decodeSegment(wrong), {
    table,
    frames: [contents[0], contents[2]],
    damagedFrames: 1,
    tornBytes: 0,
  });
});

void t.test('does not take zeros behind the last frame for frames', async (t) => {
  const { frames, tornBytes } = decodeSegment(Buffer.concat([file, Buffer.alloc(64)])) ?? {};
  t.same([frames?.length, tornBytes], [3, 64]);
});

void t.test('refuses another file and a segment of a later release', async (t) => {
  t.throws(() => decodeSegment(Buffer.from('not a segment')), { message: /no segment/ });
  const later = Buffer.from(file);
  later.writeUInt32LE(2, 4);
  t.throws(() => decodeSegment(later), { message: /version 2/ });
});
