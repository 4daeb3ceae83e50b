import t from 'tap';
import { insertBinary } from '#shared/clickhouse/insert-lines.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { testStores } from '#shared/testing/stores.ts';

const columns = [
  'id',
  'tiny',
  'small',
  'large',
  'signed',
  'single',
  'double',
  'absent',
  'flag',
  'kind',
  'time',
  'uid',
  'text',
  'word',
  'list',
  'map',
] as const;

/** Values of the columns after `id`. */
interface Fields {
  tiny: number;
  small: number;
  large: number;
  signed: number;
  single: number;
  double: number;
  absent: number | null;
  flag: boolean;
  kind: 'in' | 'out';
  time: number;
  uid: string;
  text: string;
  word: string;
  list: string[];
  map: Record<string, string>;
}

const plain: Fields = {
  tiny: 0,
  small: 0,
  large: 0,
  signed: 0,
  single: 0,
  double: 0,
  absent: null,
  flag: false,
  kind: 'in',
  time: 0,
  uid: '00000000-0000-0000-0000-000000000000',
  text: '',
  word: '',
  list: [],
  map: {},
};

const high: Fields = {
  tiny: 255,
  small: 65_535,
  large: Number.MAX_SAFE_INTEGER,
  signed: Number.MAX_SAFE_INTEGER,
  single: 1.5,
  double: Number.MAX_VALUE,
  absent: 5e-324,
  flag: true,
  kind: 'out',
  time: Date.UTC(2262, 0),
  uid: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  text: 'é€😀\u0000"\\\n\t',
  word: 'Sample.Periodic',
  list: ['', 'é', 'x'.repeat(200)],
  map: { 'Voltage@Outlet.L1 V': '230.1', '': '😀' },
};

const low: Fields = {
  ...plain,
  signed: Number.MIN_SAFE_INTEGER,
  single: -1.5,
  double: -0.1,
  absent: -1e-9,
  time: Date.UTC(1970, 0) - 1,
  uid: '01234567-89ab-4cde-8f01-23456789abcd',
  text: 'x'.repeat(200_000),
};

function add(rows: BinaryRows, id: number, fields: Fields): void {
  rows.uint32(id);
  rows.uint8(fields.tiny);
  rows.uint16(fields.small);
  rows.uint64(fields.large);
  rows.int64(fields.signed);
  rows.float32(fields.single);
  rows.float64(fields.double);
  rows.nullableFloat64(fields.absent);
  rows.boolean(fields.flag);
  rows.uint8(fields.kind === 'in' ? 1 : 2);
  rows.int64(fields.time);
  rows.uuid(fields.uid);
  rows.string(fields.text);
  rows.string(fields.word);
  rows.length(fields.list.length);
  for (const item of fields.list) rows.string(item);
  rows.length(Object.keys(fields.map).length);
  for (const name in fields.map) {
    rows.string(name);
    rows.string(fields.map[name] ?? '');
  }
  rows.endRow();
}

void t.test('ClickHouse reads every column type back as written, over several chunks', async (t) => {
  const { clickhouse } = await testStores(t, { fresh: true });
  await clickhouse.command({
    query: `create table binary_rows (
      id UInt32, tiny UInt8, small UInt16, large UInt64, signed Int64, single Float32, double Float64,
      absent Nullable(Float64), flag Bool, kind Enum8('in' = 1, 'out' = 2), time DateTime64(3, 'UTC'), uid UUID,
      text String, word LowCardinality(String), list Array(LowCardinality(String)),
      map Map(LowCardinality(String), String)
    ) engine = MergeTree order by id`,
  });
  const rows = new BinaryRows();
  // Three long rows; the others fill the chunks.
  const expected = Array.from({ length: 3000 }, (_, id) =>
    id % 1000 === 0 ? low : id % 2 === 0 ? high : plain,
  );
  for (const round of ['first', 'after a reset']) {
    expected.forEach((fields, id) => add(rows, id, fields));
    t.ok(rows.chunks().length > 3);
    await insertBinary(clickhouse, { name: 'binary_rows', columns }, rows.chunks());
    const result = await clickhouse.query({
      query: 'select * replace (toUnixTimestamp64Milli(time) as time) from binary_rows order by id',
      format: 'JSONEachRow',
    });
    const stored = await result.json<Fields & { id: number }>();
    t.equal(stored.length, 3000);
    const wrong = stored.filter(({ id, ...fields }, index) => id !== index || !isSame(fields, expected[id]!));
    t.same(wrong, [], round);
    await clickhouse.command({ query: 'truncate table binary_rows' });
    rows.reset();
  }
});

/** Compares by value; quick enough for rows of long texts. */
function isSame(stored: Fields, expected: Fields): boolean {
  return JSON.stringify(stored) === JSON.stringify(expected);
}
