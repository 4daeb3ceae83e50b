import { randomBytes, randomUUID } from 'node:crypto';
import t from 'tap';
import type { Station } from '#shared/simulator/station.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { seedApiKey, seedCharger, seedNetwork, seedTariff, seedUser } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { startTraceCollector } from './support/trace-collector.ts';
import { gatewayEnvironment, startGatewayProcess, startProcess, untilHealthy } from './support/system.ts';

interface Shown {
  [name: string]: Shown;
}

const text = (shown: Shown | undefined) => shown as unknown as string;

void t.test('starts of a driver over API and gateway processes', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  await seedTariff(sql, network.id);
  const collector = await startTraceCollector(t);
  const env = {
    ...(await gatewayEnvironment(t, stores)),
    DATABASE_URL: await startPgBouncer(t, stores.databaseUrl),
    DATABASE_DIRECT_URL: stores.databaseUrl,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  const gateway = await startGatewayProcess(t, env);
  const { ocppUrl } = gateway;
  const startApi = async (port: number) => {
    const api = startProcess(t, 'api/main.ts', { ...env, PORT: String(port) });
    await untilHealthy(api, `http://127.0.0.1:${port}/health/ready`);
    return { ...api, base: `http://127.0.0.1:${port}/emsp/v1` };
  };
  const first = await startApi(await freePort());
  let { base } = first;

  const user = await seedUser(sql, network.id);
  const wallet = (await ensureWallet(sql, allNetworks, { id: user.id }))?.wallet;
  if (wallet === undefined) throw new Error('no wallet');
  const credit = { cause: 'CREDIT', counter: 'adjustments', amountMinor: 5000n, mayOwe: false } as const;
  await sql.begin((transaction) => moveMoney(transaction, wallet.id, { ...credit, causeId: randomUUID() }));
  const key = await seedApiKey(sql, 'emsp', { networkIds: [network.id], userId: user.id });
  const ask = async (method: string, path: string, body?: object, headers = {}): Promise<Shown> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as Shown;
    if (!response.ok) throw new Error(JSON.stringify(json));
    return json;
  };
  const [location] = await sql<{ id: number }[]>`
      insert into locations (network_id, name, address, city, country, latitude, longitude)
      values (${network.id}, 'Harbour', 'Quay 1', 'Rotterdam', 'NLD', 51.9, 4.5) returning id`;
  const connect = async (create: typeof createStation16 | typeof createStation201) => {
    const charger = await seedCharger(sql, network.id, { connectors: 1 });
    await sql`
        update chargers set location_id = ${location?.id ?? null}, is_public = true where id = ${charger.id}`;
    const { uid, password } = charger;
    const station: Station = create({
      ocppUrl,
      uid,
      password,
      connectors: 1,
      vendor: 'Test',
      model: 'Test',
    });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    return { charger, station };
  };
  const sessionOf = (startId: string) =>
    until('the session of the start', async () => {
      const { status, sessionId } = await ask('GET', `/charging/starts/${startId}`);
      return text(status) === 'started' ? text(sessionId) : undefined;
    });

  await t.test('are one trace and one request id over both', async (t) => {
    const { charger } = await connect(createStation16);
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-request-id': 'start-of-a-trace' };
    const started = await ask('POST', '/charging/start', { chargerId: charger.uuid }, headers);
    const sessionId = await sessionOf(text(started['id']));
    const named = (name: string) =>
      collector.spans.find((span) => span.traceId === traceId && span.name === name);
    const call = await until('the span of the message to the charger', async () =>
      named('RemoteStartTransaction'),
    );
    const request = await until('the span of the request', async () => named('POST /emsp/v1/charging/start'));
    const [sent, served] = await until('the spans of the command', async () => {
      const both = [named('send remote-start'), named('serve remote-start')] as const;
      return both.every((span) => span !== undefined) && both;
    });
    const chain = [request, sent, served, call];
    t.strictSame(
      chain.map((span) => span?.service),
      ['chargeway-api', 'chargeway-api', 'chargeway-gateway', 'chargeway-gateway'],
    );
    t.strictSame(
      chain.map((span) => span?.parentSpanId),
      [spanId, ...chain.slice(0, 3).map((span) => span?.spanId)],
    );
    t.match(request.attributes, {
      'chargeway.request_id': 'start-of-a-trace',
      'chargeway.networks': `${network.id}`,
    });
    t.match(call.attributes, { 'chargeway.charger': charger.uid, 'ocpp.status': 'Accepted' });
    t.notMatch(JSON.stringify(collector.spans), key);
    const start = await until('the span of the StartTransaction', async () =>
      collector.spans.find(
        ({ name, attributes }) =>
          name === 'StartTransaction' && attributes['chargeway.charger'] === charger.uid,
      ),
    );
    t.match(start, {
      service: 'chargeway-gateway',
      parentSpanId: '',
      attributes: { 'chargeway.outcome': 'result' },
    });
    for (const unwanted of ['MeterValues', 'Heartbeat', 'GET /health/ready']) {
      t.notOk(
        collector.spans.some(({ name }) => name === unwanted),
        unwanted,
      );
    }

    t.match(lineOf(first, 'request', 'start-of-a-trace'), { traceId, status: 200 });
    t.match(lineOf(gateway, 'command', 'start-of-a-trace'), {
      traceId,
      charger: charger.uid,
      command: 'remote-start',
      outcome: 'accepted',
    });
    await ask('POST', '/charging/stop', { sessionId });
  });

  await t.test('happen once for a scheduled charge after kill -9 of the API', async (t) => {
    const { charger, station } = await connect(createStation201);
    let starts = 0;
    station.onRemoteStart = () => {
      starts += 1;
    };
    // Far enough for it to be still to come when the first API is gone.
    const startTime = new Date(Date.now() + 4000).toISOString();
    const made = await ask('POST', '/charging/schedule', { chargerId: charger.uuid, startTime });
    await first.kill('SIGKILL');
    const ports = [await freePort(), await freePort()];
    const [second] = await Promise.all(ports.map(startApi));
    if (second === undefined) throw new Error('no API');
    base = second.base;
    const scheduled = await until('the scheduled charge', async () => {
      const [newest] = (await ask('GET', '/charging/schedules'))['data'] as unknown as Shown[];
      return text(newest?.['status']) === 'started' ? newest : undefined;
    });
    t.match(scheduled, { id: text(made['id']), problem: null });
    await until('its jobs have ended', async () => {
      const jobs = await sql`
          select id from queued_jobs where name like 'scheduled-charge%'`;
      return jobs.length === 0;
    });
    t.equal(starts, 1, 'the charger was asked once');
    const sessions = await sql`
        select uuid, started_at >= ${startTime}::timestamptz as "inTime" from sessions where charger_id = ${charger.id}`;
    t.match(sessions, [{ uuid: text(scheduled['sessionId']), inTime: true }]);
  });
});

/** Returns the line of a process's log with this message and request id. */
function lineOf({ output }: { output: () => string }, msg: string, reqId: string): object | undefined {
  return output()
    .split('\n')
    .filter((line) => line.includes(reqId))
    .map((line) => JSON.parse(line) as { msg: string })
    .find((line) => line.msg === msg);
}
