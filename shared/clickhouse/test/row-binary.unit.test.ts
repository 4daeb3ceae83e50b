import t from 'tap';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';

/** The bytes that a call writes. */
function bytesOf(write: (rows: BinaryRows) => void): Buffer {
  const rows = new BinaryRows();
  write(rows);
  return Buffer.concat(rows.chunks());
}

const hexOf = (write: (rows: BinaryRows) => void): string => bytesOf(write).toString('hex');

void t.test('encodes numbers little-endian', (t) => {
  t.equal(
    hexOf((rows) => rows.uint8(255)),
    'ff',
  );
  t.equal(
    hexOf((rows) => rows.boolean(true)),
    '01',
  );
  t.equal(
    hexOf((rows) => rows.uint16(0x1234)),
    '3412',
  );
  t.equal(
    hexOf((rows) => rows.uint32(0xfffffffe)),
    'feffffff',
  );
  const wholes = [
    0,
    1,
    -1,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    -(2 ** 32),
    -(2 ** 32) - 1,
    1_764_000_000_123,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ];
  for (const value of wholes) {
    t.equal(bytesOf((rows) => rows.int64(value)).readBigInt64LE(), BigInt(value), `${value}`);
  }
  t.equal(bytesOf((rows) => rows.uint64(2 ** 53 - 1)).readBigUInt64LE(), 2n ** 53n - 1n);
  t.equal(bytesOf((rows) => rows.float64(-0.1)).readDoubleLE(), -0.1);
  t.equal(bytesOf((rows) => rows.float32(0.5)).readFloatLE(), 0.5);
  t.equal(
    hexOf((rows) => rows.nullableFloat64(null)),
    '01',
  );
  t.equal(
    hexOf((rows) => rows.nullableFloat64(0)),
    '000000000000000000',
  );
  t.end();
});

void t.test('encodes lengths with seven bits in a byte', (t) => {
  const lengths: [number, string][] = [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [2 ** 28, '8080808001'],
  ];
  for (const [value, hex] of lengths) {
    t.equal(
      hexOf((rows) => rows.length(value)),
      hex,
    );
  }
  t.end();
});

void t.test('encodes a text of any characters with its length in bytes', (t) => {
  // Around the lengths at which the length of the length changes, in characters and in bytes.
  const counts = [0, 1, 42, 43, 63, 64, 127, 128, 5461, 5462, 8192, 16_383, 16_384, 30_000, 200_000];
  for (const character of ['a', 'é', '€', '😀', '\u0000']) {
    for (const count of counts) {
      const text = character.repeat(count);
      const bytes = bytesOf((rows) => rows.string(text));
      const prefix = bytesOf((rows) => rows.length(Buffer.byteLength(text)));
      t.ok(
        bytes.equals(Buffer.concat([prefix, Buffer.from(text)])),
        `${JSON.stringify(character)} × ${count}`,
      );
    }
  }
  t.equal(
    bytesOf((rows) => rows.string('a\ud800b\udc00')).toString('utf8', 1),
    'a\ufffdb\ufffd',
    'a lone surrogate is replaced',
  );
  t.end();
});

void t.test('encodes a UUID as two little-endian halves', (t) => {
  t.equal(
    hexOf((rows) => rows.uuid('00112233-4455-6677-8899-aAbBcCdDeEfF')),
    '7766554433221100ffeeddccbbaa9988',
  );
  t.end();
});

void t.test('keeps the order over chunks and counts rows and bytes', (t) => {
  const rows = new BinaryRows();
  t.match(rows, { rows: 0, bytes: 0 });
  const expected: Buffer[] = [];
  for (let row = 0; row < 3000; row += 1) {
    const text = 'x'.repeat(row === 1500 ? 300_000 : (row * 37) % 300);
    rows.uint32(row);
    rows.string(text);
    rows.endRow();
    expected.push(bytesOf((one) => (one.uint32(row), one.string(text))));
  }
  const chunks = rows.chunks();
  t.ok(chunks.length > 3);
  const whole = Buffer.concat(expected);
  t.ok(Buffer.concat(chunks).equals(whole));
  t.match(rows, { rows: 3000, bytes: whole.length });
  rows.string('later');
  t.ok(Buffer.concat(chunks).equals(whole), 'returned chunks stay as they were');
  t.end();
});

void t.test('uses its memory again after a reset, except that of a long text', (t) => {
  const rows = new BinaryRows();
  rows.reset();
  t.same(Buffer.concat(rows.chunks()).length, 0);
  const fill = (byte: number, count: number) => {
    for (let n = 0; n < count; n += 1) {
      rows.string(String.fromCharCode(byte).repeat(100));
      rows.endRow();
    }
  };
  fill(97, 2000);
  rows.string('y'.repeat(100_000));
  fill(97, 2000);
  const buffersOf = () => rows.chunks().map((chunk) => chunk.buffer);
  const before = buffersOf();
  rows.reset();
  t.match(rows, { rows: 0, bytes: 0 });
  t.equal(Buffer.concat(rows.chunks()).length, 0);
  fill(98, 3000);
  const after = buffersOf();
  t.ok(after.every((buffer) => before.includes(buffer)));
  t.ok(after.every((buffer) => buffer.byteLength < 100_000));
  t.equal(Buffer.concat(rows.chunks()).toString(), `d${'b'.repeat(100)}`.repeat(3000));
  t.match(rows, { rows: 3000, bytes: 303_000 });
  t.end();
});

void t.test('drops a row that was not ended, over any number of chunks', (t) => {
  const texts = ['', 'x', 'x'.repeat(1000), 'x'.repeat(70_000), 'x'.repeat(300_000)];
  for (const complete of texts) {
    for (const broken of texts) {
      const rows = new BinaryRows();
      const add = (text: string) => {
        rows.string(text);
        rows.endRow();
      };
      const expected = bytesOf((one) => (one.string(complete), one.string('next')));
      for (const round of ['first', 'after a reset']) {
        rows.string(broken);
        rows.dropRow();
        add(complete);
        for (let field = 0; field < 3; field += 1) rows.string(broken);
        rows.dropRow();
        rows.dropRow();
        t.match(rows, { rows: 1, bytes: expected.length - 5 });
        add('next');
        t.ok(Buffer.concat(rows.chunks()).equals(expected), round);
        t.match(rows, { rows: 2, bytes: expected.length });
        rows.reset();
      }
    }
  }
  t.end();
});
