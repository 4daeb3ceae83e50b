import t from 'tap';
import { totalOf, withTotal } from '#shared/postgres/kernel/totals.ts';
import { testStores } from '#shared/testing/stores.ts';

const broken = () => Promise.reject(new Error('the server is away'));

void t.test('counts small totals each time and large ones once in ten seconds', async (t) => {
  const { sql } = await testStores(t);
  let counted = 0;
  const rows = (many: number) => async () => {
    counted += 1;
    const [row] = await sql<{ total: number }[]>`
      select count(*)::integer as total from generate_series(1, ${many}::integer)`;
    return row?.total ?? 0;
  };
  const small = ['things', { of: 1 }];
  t.equal(await totalOf(sql, small, rows(9)), 9);
  t.equal(await totalOf(sql, small, rows(8)), 8, 'it is counted again');

  counted = 0;
  const large = ['things', { of: 2 }];
  let now = Date.now();
  const clock = t.capture(Date, 'now', () => now);
  const atOnce = await Promise.all([1, 2, 3].map(() => totalOf(sql, large, rows(20_000))));
  t.strictSame(atOnce, [20_000, 20_000, 20_000]);
  t.equal(counted, 1, 'who asks meanwhile gets the same');
  t.equal(await totalOf(sql, large, rows(3)), 20_000, 'and who asks soon');
  now += 6000;
  const counting = Promise.withResolvers<number>();
  const slowly = () => {
    counted += 1;
    return counting.promise;
  };
  for (const asked of ['one', 'another'])
    t.equal(await totalOf(sql, large, slowly), 20_000, `${asked} is returned while it is counted again`);
  t.equal(counted, 2, 'once');
  now += 5000;
  const waiting = totalOf(sql, large, broken);
  counting.resolve(30_000);
  t.equal(await waiting, 30_000, 'a total older than ten seconds is not returned');
  now += 6000;
  for (const many of [1, 2])
    t.equal(await totalOf(sql, large, broken), 30_000, `a count that fails spares who asks (${many})`);
  now += 5000;
  await t.rejects(totalOf(sql, large, broken), { message: 'the server is away' }, 'for ten seconds');
  clock.restore();
  t.equal(await totalOf(sql, ['things', { of: 3 }], rows(3)), 3, 'of another list it is another');

  await t.rejects(totalOf(sql, ['broken'], broken), { message: 'the server is away' });
  t.equal(await totalOf(sql, ['broken'], rows(2)), 2, 'a failure is not remembered');
});

void t.test('returns a total of at least the rows of the page', async (t) => {
  const { sql } = await testStores(t);
  const page = (number: number, rows: number, count: () => Promise<number>) =>
    withTotal(sql, { key: ['things'], count }, { page: number, pageSize: 50 }, Array.from({ length: rows }));
  t.match(await page(1, 50, () => Promise.resolve(10_000)), { total: 10_000 });
  t.match(await page(201, 50, broken), { total: 10_050 }, 'the one that is remembered is below it');
  t.match(await page(3, 7, broken), { total: 107 });
  t.match(await page(1, 0, broken), { total: 0 });
  t.match(await page(999, 0, broken), { total: 10_000 }, 'beyond the end, the total is unknown');
});
