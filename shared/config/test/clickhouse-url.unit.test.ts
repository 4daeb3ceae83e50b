import t from 'tap';
import { loadConfig } from '#shared/config/config.ts';
import { parseClickHouseUrl } from '#shared/domain/kernel/clickhouse-address.ts';

const url = 'http://user:p%40ss@one:8123,two:8124,[::1]:8125/cars';

void t.test('reads a ClickHouse URL with several hosts and a cluster', (t) => {
  const { clickhouseUrl } = loadConfig({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: 'main' });
  t.strictSame(parseClickHouseUrl(clickhouseUrl ?? ''), {
    servers: [
      'http://user:p%40ss@one:8123/cars',
      'http://user:p%40ss@two:8124/cars',
      'http://user:p%40ss@[::1]:8125/cars',
    ],
    database: 'cars',
    cluster: 'main',
  });
  const single = 'http://user:p%40ss@one:8123/cars';
  t.equal(
    loadConfig({ CLICKHOUSE_URL: single }).clickhouseUrl,
    single,
    'without a cluster it stays as it is',
  );
  t.end();
});

void t.test('refuses a ClickHouse URL or cluster that is not valid', (t) => {
  for (const wrong of [
    'postgres://one/cars',
    'http://one:8123,two:port/cars',
    'http:///cars',
    'http://one,,two/cars',
  ]) {
    t.throws(() => loadConfig({ CLICKHOUSE_URL: wrong }), /CLICKHOUSE_URL: must be a URL/, wrong);
  }
  t.throws(
    () => loadConfig({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: "a'b" }),
    /CLICKHOUSE_CLUSTER: must be the name/,
  );
  t.throws(
    () => loadConfig({ CLICKHOUSE_URL: url }),
    /CLICKHOUSE_CLUSTER: must be set if CLICKHOUSE_URL has several hosts/,
  );
  t.throws(() => loadConfig({ CLICKHOUSE_CLUSTER: 'main' }), /CLICKHOUSE_CLUSTER: must be set together/);
  t.end();
});
