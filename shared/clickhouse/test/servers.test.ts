import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ClickHouseError } from '@clickhouse/client';
import t, { type Test } from 'tap';
import {
  type ClickHouse,
  isClickHouseDown,
  isRowFault,
  openClickHouse,
  pingClickHouse,
} from '#shared/clickhouse/client.ts';
import { insertLines } from '#shared/clickhouse/insert-lines.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { storedSamples } from '#shared/testing/stored-samples.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

/** A proxy in front of ClickHouse on a port of its own, which can fail as a server does. */
async function startProxy(t: Pick<Test, 'teardown'>, target: string) {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let requests = 0;
  let isOverloaded = false;
  let isStalled = false;
  let isMute = false;
  const server = createServer((request, response) => {
    requests += 1;
    if (isStalled) return;
    if (isOverloaded) {
      response.writeHead(503).end('no server is available');
      return;
    }
    const { method, url: path, headers } = request;
    const onward = httpRequest({ hostname, port: targetPort, method, path, headers }, (answer) => {
      if (isMute) {
        answer.resume();
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  t.teardown(() => (server.listening ? cut() : undefined));
  return {
    host: `127.0.0.1:${port}`,
    requests: () => requests,
    stall: () => (isStalled = true),
    /** Forwards requests and keeps their answers. */
    mute: () => (isMute = true),
    overload: (isOn: boolean) => (isOverloaded = isOn),
    cut,
    restore: () => listen(port),
  };
}

void t.test('sends requests to another server while one is unavailable', async (t) => {
  const { clickhouse, clickhouseUrl } = await testStores(t);
  await pingClickHouse(clickhouse); // Creates the database.
  const proxies = [await startProxy(t, clickhouseUrl), await startProxy(t, clickhouseUrl)];
  const { host } = new URL(clickhouseUrl);
  const url = clickhouseUrl.replace(host, proxies.map((proxy) => proxy.host).join());
  const client = openClickHouse(url, { name: 'test', connections: 2 });
  t.teardown(() => client.close());

  const origin = { networkId: 1, chargerId: 1, sessionId: randomUUID() };
  let stored = 0;
  /** Writes a reading and reads all of them. */
  const work = async () => {
    stored += 1;
    await insertMeterRows(client, [meterRow(origin, new Date(stored * 1000), { energyWh: stored })]);
    return (await storedSamples(client, origin)).length === stored;
  };
  t.ok(await work());
  const [preferred, other] = proxies.toSorted((a, b) => b.requests() - a.requests());
  if (preferred === undefined || other === undefined) throw new Error('there are two proxies');
  t.equal(other.requests(), 0, 'one server has all requests');

  await preferred.cut();
  t.ok(await work(), 'the other server has them while connections are refused');
  await pingClickHouse(client);
  await preferred.restore();
  const whileAway = preferred.requests();
  await until(
    'the server is in use again',
    async () => (await work()) && preferred.requests() > whileAway + 1,
  );

  const beforeOverload = other.requests();
  preferred.overload(true);
  t.ok(await work(), 'the other server has them while this one answers 503');
  t.ok(other.requests() > beforeOverload);

  await other.cut();
  await t.rejects(work(), 'no server is left');
  stored -= 1;
  preferred.overload(false);
  t.ok(await work(), 'a server that failed is tried when no other is left');
});

void t.test('repeats no statement that ClickHouse refuses', async (t) => {
  const { clickhouse, clickhouseUrl } = await testStores(t);
  await pingClickHouse(clickhouse); // Creates the database.
  const proxies = [await startProxy(t, clickhouseUrl), await startProxy(t, clickhouseUrl)];
  const url = clickhouseUrl.replace(new URL(clickhouseUrl).host, proxies.map(({ host }) => host).join());
  const client = openClickHouse(url, { name: 'test', connections: 1 });
  t.teardown(() => client.close());
  await t.rejects(client.command({ query: 'drop table nothing' }), { code: '60' });
  t.equal(proxies[0]!.requests() + proxies[1]!.requests(), 1);
});

void t.test('repeats no query that takes too long, and answers a ping from another server', async (t) => {
  const { clickhouse, clickhouseUrl } = await testStores(t);
  await pingClickHouse(clickhouse); // Creates the database.
  const proxies = [await startProxy(t, clickhouseUrl), await startProxy(t, clickhouseUrl)];
  const url = clickhouseUrl.replace(new URL(clickhouseUrl).host, proxies.map(({ host }) => host).join());
  const hasty = openClickHouse(url, { name: 'test', connections: 1, timeoutMs: 5000 });
  const patient = openClickHouse(url, { name: 'test', connections: 1, timeoutMs: 600_000 });
  t.teardown(() => Promise.all([hasty.close(), patient.close()]));

  await hasty.command({ query: 'select 1' });
  const [preferred, other] = proxies.toSorted((a, b) => b.requests() - a.requests());
  if (preferred === undefined || other === undefined) throw new Error('there are two proxies');

  preferred.stall();
  await t.rejects(hasty.query({ query: 'select 1' }), { message: 'Timeout error.' });
  await t.rejects(hasty.exec({ query: 'select 1' }), { message: 'Timeout error.' });
  t.strictSame([preferred.requests(), other.requests()], [3, 0], 'the server is not avoided either');
  await pingClickHouse(patient);
});

void t.test(
  'repeats an insert whose answer is lost, and fails after a time-out at each server',
  async (t) => {
    const { clickhouse, clickhouseUrl } = await testStores(t, { fresh: true });
    // As replicated tables do, which the embedded engine lacks.
    const query = 'alter table ocpp_messages modify setting non_replicated_deduplication_window = 100';
    await clickhouse.command({ query });
    const proxies = [await startProxy(t, clickhouseUrl), await startProxy(t, clickhouseUrl)];
    const url = clickhouseUrl.replace(new URL(clickhouseUrl).host, proxies.map(({ host }) => host).join());
    // Both time-outs end before servers that were avoided are tried again.
    const client = openClickHouse(url, { name: 'test', connections: 1, timeoutMs: 2000 });
    t.teardown(() => client.close());
    await client.command({ query: 'select 1' });
    const [preferred, other] = proxies.toSorted((a, b) => b.requests() - a.requests());
    if (preferred === undefined || other === undefined) throw new Error('there are two proxies');

    preferred.mute();
    const before = preferred.requests();
    const columns = ['time', 'message_id'] as const;
    const time = '2100-01-01 00:00:00'; // Within the retention.
    await insertLines(client, { name: 'ocpp_messages', columns }, [
      Buffer.from(`["${time}","1"]\n["${time}","2"]\n`),
    ]);
    t.strictSame([preferred.requests() - before, other.requests()], [1, 1], 'each server had the rows');
    t.equal(await rowsOf(clickhouse, 'ocpp_messages'), 2);

    other.mute();
    await t.rejects(client.insert({ table: 'ocpp_messages', columns: [...columns], values: [[time, '3']] }), {
      message: 'Timeout error.',
    });
    t.strictSame([preferred.requests() - before, other.requests()], [2, 2]);
    // The proxy passed the insert on, and ClickHouse may still be busy with it.
    await until(
      'the row that each server was sent',
      async () => (await rowsOf(clickhouse, 'ocpp_messages')) === 3,
    );
  },
);

async function rowsOf(clickhouse: ClickHouse, table: string): Promise<number> {
  const result = await clickhouse.query({
    query: `select count() as rows from ${table}`,
    format: 'JSONEachRow',
  });
  const [counted] = await result.json<{ rows: number }>();
  return counted?.rows ?? 0;
}

void t.test('keeps rows whose insert ended with a connection between two servers', (t) => {
  const message = 'Attempt to read after eof: while receiving packet from shard-2:9000';
  const lost = new ClickHouseError({ code: '32', type: 'ATTEMPT_TO_READ_AFTER_EOF', message });
  t.equal(isRowFault(lost), false);
  t.equal(isClickHouseDown(lost), true);
  const cut = new ClickHouseError({
    code: '32',
    type: 'ATTEMPT_TO_READ_AFTER_EOF',
    message: 'Attempt to read after eof',
  });
  t.equal(isRowFault(cut), true);
  t.equal(isClickHouseDown(cut), false);
  t.end();
});
