import t from 'tap';
import { Type } from 'typebox';
import { ListItemCache } from '#api/routes/list-item-cache.ts';

interface Row {
  id: bigint;
  name: string;
  isFinal: boolean;
}

function kept() {
  const read: string[] = [];
  const items = new ListItemCache({
    schema: Type.Object({ name: Type.String() }),
    idOf: ({ id }: Row) => id,
    view: ({ name }) => ({ name, secret: 'not in the schema' }),
    validForMs: ({ isFinal }) => (isFinal ? Number.POSITIVE_INFINITY : 1000),
  });
  return {
    items,
    read,
    at: async (versions: Record<string, string>, rows: Record<string, Partial<Row>> = {}) => {
      const places = Object.entries(versions).map(([id, version]) => ({ id: BigInt(id), version }));
      const written = await items.at(places, async (unknown) => {
        read.push(unknown.map(({ id }) => id).join());
        return unknown
          .flatMap(({ id }) => ({ id, name: `row ${id}`, isFinal: true, ...rows[String(id)] }))
          .filter(({ name }) => name !== 'gone')
          .toReversed();
      });
      return written.map((item) => Buffer.from(item).toString());
    },
  };
}

void t.test('serializes items once per version, in the order of their positions', async (t) => {
  const { at, read } = kept();
  t.strictSame(await at({ 1: 'a', 2: 'a' }), ['{"name":"row 1"}', '{"name":"row 2"}']);
  t.strictSame(await at({ 1: 'a', 2: 'a' }, { 1: { name: 'not read' } }), [
    '{"name":"row 1"}',
    '{"name":"row 2"}',
  ]);
  t.strictSame(await at({ 1: 'a', 2: 'b', 3: 'a' }, { 2: { name: 'new' } }), [
    '{"name":"row 1"}',
    '{"name":"new"}',
    '{"name":"row 3"}',
  ]);
  t.strictSame(await at({}), []);
  t.strictSame(read, ['1,2', '2,3'], 'nothing is read where all is known');
});

const runningRows = (name: string) => ({ 1: { isFinal: false, name }, 2: { name: 'gone' }, 3: {} });

void t.test('caches time-dependent items for a second and leaves out removed ones', async (t) => {
  let now = Date.now();
  t.intercept(Date, 'now', { value: () => now });
  const { at, read } = kept();
  const written = ['{"name":"first"}', '{"name":"row 3"}'];
  const versions = { 1: 'a', 2: 'a', 3: 'a' };
  t.strictSame(await at(versions, runningRows('first')), written);
  now += 990;
  t.strictSame(await at(versions, runningRows('second')), written);
  t.strictSame(await at({ ...versions, 1: 'b' }, runningRows('third')), [
    '{"name":"third"}',
    '{"name":"row 3"}',
  ]);
  now += 1010;
  t.strictSame(await at({ ...versions, 1: 'b' }, runningRows('fourth')), [
    '{"name":"fourth"}',
    '{"name":"row 3"}',
  ]);
  t.strictSame(read, ['1,2,3', '2', '1,2', '1,2']);
});

const places = (...ids: bigint[]) => ids.map((id) => ({ id, version: 'a' }));
const row = ({ id }: { id: bigint }) => ({ id, name: `row ${id}`, isFinal: true });

void t.test('shares one read among callers, who read again when it fails', async (t) => {
  const { items } = kept();
  const first = Promise.withResolvers<Row[]>();
  const failing = Promise.withResolvers<Row[]>();
  const read: string[] = [];
  const others = async (unknown: { id: bigint }[]) => {
    read.push(unknown.map(({ id }) => id).join());
    return unknown.map(row);
  };
  const answers = [
    items.at(places(1n, 2n), () => first.promise),
    items.at(places(3n), () => failing.promise),
    items.at(places(1n, 2n, 4n), others),
    items.at([{ id: 1n, version: 'b' }], others),
    items.at(places(3n), others),
  ].map((answer) => answer.then((written) => written.map((item) => Buffer.from(item).toString()).join()));
  const settled = Promise.allSettled(answers);
  first.resolve([row({ id: 1n })]);
  failing.reject(new Error('lost'));
  const [one, two, ...rest] = await settled;
  t.match(one, { value: '{"name":"row 1"}' }, 'the second is gone for who asked first');
  t.match(two, { reason: { message: 'lost' } });
  t.strictSame(
    rest.map((answer) => answer.status === 'fulfilled' && answer.value),
    ['{"name":"row 1"},{"name":"row 2"},{"name":"row 4"}', '{"name":"row 1"}', '{"name":"row 3"}'],
  );
  t.strictSame(
    read.toSorted(),
    ['1', '2', '3', '4'],
    'the fourth at once, the second after the first reader',
  );
  t.strictSame(
    await items.at(places(2n, 3n, 4n), () => Promise.reject(new Error('read'))).then((all) => all.length),
    3,
  );
});

void t.test('returns a whole page when parts are no longer cached', async (t) => {
  const { at, read } = kept();
  const versions = { 1: 'a', 2: 'a', 3: 'a' };
  const name = 'x'.repeat(7_000_000);
  const rows = { 1: { name }, 2: { name }, 3: { name } };
  t.equal((await at(versions, rows)).length, 3);
  t.equal((await at(versions, rows)).length, 3);
  t.equal(read[0], '1,2,3');
  t.not(read[1], undefined, 'all do not fit');
});
