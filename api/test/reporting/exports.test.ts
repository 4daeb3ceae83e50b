import { createHash } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { sweepExports } from '#api/services/reporting/exports/export-worker.ts';
import {
  addCdr,
  addCompleted,
  addConnector,
  type ExportApi,
  exportApi,
  exportId,
  readParquet,
} from '#api/test/support/exporting.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { exportTransitions, exportStates } from '#shared/domain/reporting/export.ts';
import { claimExport, extendClaim, storePart } from '#shared/postgres/reporting/export-work.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';

const march = { from: '2026-03-01T00:00:00Z', to: '2026-03-31T00:00:00Z' };
const end = new Date('2026-03-02T10:00:00.123Z');

/** The error of a caller without a scope. */
const missing = (scope: string) => ({ error: { code: 'SCOPE_MISSING', details: { scope } } });

/** A completed export of two sessions. */
async function completedExport({ api, create, worker }: ExportApi, body: object = {}): Promise<string> {
  const connector = await addConnector(api);
  await addCompleted(api.stores.sql, connector, end);
  await addCompleted(api.stores.sql, connector, new Date('2026-03-20T00:00:00Z'));
  const id = exportId(await create({ dataset: 'sessions', ...march, ...body }));
  await worker().work();
  return id;
}

void t.test('a worker that is stopped before it writes leaves the export to the next one', async (t) => {
  const exports = await exportApi(t);
  const { api, create, read, worker, failures } = exports;
  await addCompleted(api.stores.sql, await addConnector(api), end);
  const id = exportId(await create({ dataset: 'sessions', ...march }));
  const stopped = worker();
  const work = stopped.work();
  stopped.stop();
  // An error event without a listener would fail this test.
  await work;
  t.not((await read(id)).json['data']?.['state'], 'COMPLETED');
  t.strictSame(failures, []);
  await worker().work();
  t.match((await read(id)).json, { data: { state: 'COMPLETED' } });
});

void t.test('makes the files of every dataset in both formats', async (t) => {
  const exports = await exportApi(t);
  const { api, create, read, get, worker, failures } = exports;
  const { sql, clickhouse } = api.stores;
  const connector = await addConnector(api);
  const session = await addCompleted(sql, connector, end);
  await addCdr(sql, session, 300n);
  const origin = { ...connector, sessionId: null };
  await insertMeterRows(clickhouse, [
    meterRow(origin, end, { energyWh: 1, extra: { 'a "b",\n': '1' } }),
    meterRow(origin, new Date('2026-03-20T00:00:00Z'), { energyWh: 2, context: 'a\n"b' }),
  ]);
  const expected = { sessions: 1, cdrs: 1, 'meter-values': 2 };
  for (const [dataset, rows] of Object.entries(expected)) {
    for (const format of ['parquet', 'csv']) {
      const id = exportId(await create({ dataset, format, ...march }));
      await worker().work();
      const { json } = await read(id);
      t.match(json['data'], {
        state: 'COMPLETED',
        dataset,
        format,
        partsTotal: 1,
        partsStored: 1,
        rows,
        failure: null,
        networkIds: [api.network.uuid],
        createdBy: 'test',
      });
      const [part] = items(json['data']?.['parts']);
      t.match(part, { number: 1, rows, from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T00:00:00.000Z' });
      const file = (await get(`/exports/${id}/parts/1`)).rawPayload;
      t.equal(file.length, part?.['sizeBytes'] as unknown as number);
      t.equal(createHash('sha256').update(file).digest('hex'), part?.['sha256'] as unknown as string);
      if (format === 'parquet') t.equal((await readParquet(file)).length, rows);
      else t.match(file.toString(), /^\ufeff"?[a-z]+_id.*\r\n$/s, 'a person may open it');
    }
  }
  t.same(failures, []);
});

void t.test('completes an export without rows without parts', async (t) => {
  const { create, read, worker } = await exportApi(t);
  const created = await create({ dataset: 'sessions', ...march });
  t.equal(created.status, 201);
  t.match(created.json['data'], { state: 'QUEUED', partsTotal: 0, expiresAt: null, parts: [] });
  await worker().work();
  t.match((await read(exportId(created))).json['data'], {
    state: 'COMPLETED',
    partsTotal: 0,
    rows: 0,
    parts: [],
  });
});

void t.test('continues at the part that a killed worker was making', async (t) => {
  const exports = await exportApi(t);
  const { api, create, read, get, worker, exportDir } = exports;
  const { sql } = api.stores;
  const id = await completedExport(exports);
  // As a process leaves it that was killed in the second of two parts.
  await sql`
    update exports set state = 'RUNNING', worker = gen_random_uuid(), leased_until = now() + interval '60 s', ended_at = null,
      expires_at = null where uuid = ${id}`;
  await sql`update export_parts set range_to = '2026-03-10'`;
  await sql`
    insert into export_parts (export_id, number, range_from, range_to)
    select id, 2, '2026-03-10', '2026-03-31' from exports where uuid = ${id}`;
  const [first] = await readdir(join(exportDir, id));
  await writeFile(join(exportDir, id, '2-half.parquet'), 'PAR1');
  t.match((await get(`/exports/${id}/parts/2`)).json(), { error: { code: 'EXPORT_NOT_READY' } });

  await worker().work();
  t.match(
    (await read(id)).json['data'],
    { state: 'RUNNING', partsStored: 1 },
    'the claim holds for a minute',
  );
  await sql`update exports set leased_until = now() - interval '1 ms' where uuid = ${id}`;
  await worker().work();
  t.match((await read(id)).json['data'], { state: 'COMPLETED', partsTotal: 2, partsStored: 2 });
  const files = await readdir(join(exportDir, id));
  t.ok(files.includes(String(first)), 'the first part was not made again');
  t.equal((await readParquet((await get(`/exports/${id}/parts/2`)).rawPayload)).length, 1);
  const create2 = await create({ dataset: 'sessions', ...march });
  t.equal(create2.status, 201);

  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(exportDir, id, '2-half.parquet'), longAgo, longAgo);
  await utimes(join(exportDir, id, String(first)), longAgo, longAgo);
  await sweepExports(exports.deps);
  t.strictSame(
    (await readdir(join(exportDir, id))).length,
    files.length - 1,
    'what the killed one wrote is removed',
  );
});

void t.test('refuses the file of a worker that lost its claim', async (t) => {
  const { api, create } = await exportApi(t);
  const { sql } = api.stores;
  await addCompleted(sql, await addConnector(api), end);
  await create({ dataset: 'sessions', ...march });
  const lost = await claimExport(sql, '123e4567-e89b-42d3-a456-426614174000');
  if (lost === null) throw new Error('there is nothing to claim');
  await sql`update exports set leased_until = now() - interval '1 ms'`;
  const holder = await claimExport(sql, '123e4567-e89b-42d3-a456-426614174001');
  t.equal(holder?.attempts, 2);
  t.equal(await extendClaim(sql, lost), false);
  const file = { fileName: 'x', rows: 1, sizeBytes: 1, sha256: 'x' };
  t.equal(await sql.begin((transaction) => storePart(transaction, lost, 1, file)), false);
});

void t.test('tries a part again after a pause, and fails after ten attempts', async (t) => {
  const { api, create, read, worker, failures, exportDir } = await exportApi(t);
  const { sql } = api.stores;
  await addCompleted(sql, await addConnector(api), end);
  const id = exportId(await create({ dataset: 'sessions', ...march }));
  await rm(exportDir, { recursive: true });
  await writeFile(exportDir, 'no directory');
  await worker().work();
  t.match(failures, [{ code: /ENOTDIR|EEXIST/ }]);
  t.match((await read(id)).json['data'], { state: 'RUNNING', partsTotal: 1, partsStored: 0 });
  await worker().work();
  t.equal(failures.length, 1, 'it waits');
  await sql`update exports set next_attempt_at = now(), attempts = 10`;
  await worker().work();
  t.match((await read(id)).json['data'], { state: 'FAILED', failure: /could not be made/ });
});

void t.test('fails when the files of all exports reach their limit', async (t) => {
  const exports = await exportApi(t, { exportMaxBytes: 1 });
  const id = await completedExport(exports);
  t.match((await exports.read(id)).json['data'], { state: 'COMPLETED' }, 'no export existed before it');
  const next = exportId(await exports.create({ dataset: 'sessions', ...march }));
  await exports.worker().work();
  t.match((await exports.read(next)).json['data'], { state: 'FAILED', failure: /reached 1 bytes/ });
});

void t.test('downloads a part in ranges', async (t) => {
  const exports = await exportApi(t);
  const { get, api, key } = exports;
  const id = await completedExport(exports);
  const url = `/exports/${id}/parts/1`;
  const whole = await get(url);
  t.equal(whole.headers['content-type'], 'application/vnd.apache.parquet');
  t.match(whole.headers['content-disposition'], /sessions_2026-03-01_2026-03-31_part-1\.parquet/);
  t.equal(whole.headers['accept-ranges'], 'bytes');
  const digest = createHash('sha256').update(whole.rawPayload).digest('base64');
  t.equal(whole.headers['repr-digest'], `sha-256=:${digest}:`);
  const etag = String(whole.headers['etag']);
  const half = Math.floor(whole.rawPayload.length / 2);
  const first = await get(url, { range: `bytes=0-${half - 1}` });
  const rest = await get(url, { range: `bytes=${half}-`, 'if-range': etag });
  t.equal(first.statusCode, 206);
  t.equal(
    rest.headers['content-range'],
    `bytes ${half}-${whole.rawPayload.length - 1}/${whole.rawPayload.length}`,
  );
  t.ok(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(whole.rawPayload));
  t.equal((await get(url, { range: `bytes=${half}-`, 'if-range': '"other"' })).statusCode, 200);
  t.equal((await get(url, { 'if-none-match': etag })).statusCode, 304);
  const beyond = await get(url, { range: 'bytes=99999999-' });
  t.match(beyond.json(), { error: { code: 'RANGE_NOT_SATISFIABLE' } });
  t.equal(beyond.statusCode, 416);
  t.match((await get(url, { 'if-match': '"other"' })).json(), { error: { code: 'PRECONDITION_FAILED' } });
  const head = await api.call(key, { method: 'HEAD', url: `/cpms/v1${url}` });
  t.equal(head.headers['content-length'], String(whole.rawPayload.length));
  t.match((await get(`/exports/${id}/parts/2`)).json(), { error: { code: 'EXPORT_PART_NOT_FOUND' } });
  t.match((await get(`/exports/${api.network.uuid}/parts/1`)).json(), {
    error: { code: 'EXPORT_NOT_FOUND' },
  });
  await rm(join(exports.exportDir, id), { recursive: true });
  t.match((await get(url)).json(), { error: { code: 'EXPORT_PART_NOT_FOUND' } });
  t.match(api.log(), /Check that all API processes share EXPORT_DIR/);
});

void t.test('shows an export to keys of all its networks only', async (t) => {
  const exports = await exportApi(t);
  const { api, create, read, get, worker } = exports;
  const { sql } = api.stores;
  await addCompleted(sql, await addConnector(api), end);
  const both = [api.network.id, api.otherNetwork.id];
  const wide = await mintKey(api, { networkIds: both });
  const id = exportId(await create({ dataset: 'sessions', ...march }, wide));
  const narrowId = exportId(
    await create({ dataset: 'sessions', ...march, networkId: api.network.uuid }, wide),
  );
  await worker().work();
  const seen = async (key: string) => {
    const list = await api.call(key, { url: '/cpms/v1/exports' });
    return items(list.json['data']).map((item) => item['id'] as unknown as string);
  };
  const all = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.strictSame(await seen(wide), [narrowId, id]);
  t.strictSame(await seen(all), [narrowId, id]);
  t.strictSame(await seen(exports.key), [narrowId], 'a key of one network');
  t.strictSame(await seen(await mintKey(api, { networkIds: [api.otherNetwork.id] })), []);

  // The networks of the creator shrink.
  await sql`
    delete from api_key_networks where network_id = ${api.otherNetwork.id}
      and api_key_id = (select id from api_keys where last4 = ${wide.slice(-4)})`;
  t.strictSame(await seen(wide), [narrowId]);
  t.match((await read(id, wide)).json, { error: { code: 'EXPORT_NOT_FOUND' } });
  t.match((await get(`/exports/${id}/parts/1`, {}, wide)).json(), { error: { code: 'EXPORT_NOT_FOUND' } });
  const removal = await api.call(wide, { method: 'DELETE', url: `/cpms/v1/exports/${id}` });
  t.match(removal.json, { error: { code: 'EXPORT_NOT_FOUND' } });
  const foreign = await create({ dataset: 'sessions', ...march, networkId: api.otherNetwork.uuid });
  t.match(foreign.json, { error: { code: 'NETWORK_NOT_FOUND' } });
});

void t.test('requires the scopes of exports and of the data', async (t) => {
  const exports = await exportApi(t);
  const { api, create, read, get } = exports;
  const id = await completedExport(exports);
  const keyOf = (...scopes: string[]) => mintKey(api, { scopes });
  const body = { dataset: 'sessions', ...march };
  t.match((await create(body, await keyOf('cpms:read'))).json, missing('cpms:write:exports'));
  t.match((await create(body, await keyOf('cpms:write:exports'))).json, missing('cpms:read:sessions'));
  const partners = await keyOf('cpms:write:exports', 'cpms:read:exports', 'cpms:read:sessions');
  t.match((await create({ ...body, dataset: 'cdrs' }, partners)).json, missing('cpms:read:ocpi-partners'));
  t.match((await read(id, await keyOf('cpms:read:sessions'))).json, missing('cpms:read:exports'));
  const noData = await keyOf('cpms:read:exports');
  t.match((await read(id, noData)).json, { error: { code: 'EXPORT_NOT_FOUND' } });
  t.match((await get(`/exports/${id}/parts/1`, {}, noData)).json(), { error: { code: 'EXPORT_NOT_FOUND' } });
  t.match((await api.call(noData, { url: '/cpms/v1/exports' })).json, { data: [] });
  const reader = await keyOf('cpms:read');
  t.match((await read(id, reader)).json, { data: { id } });
  const removal = await api.call(reader, { method: 'DELETE', url: `/cpms/v1/exports/${id}` });
  t.match(removal.json, missing('cpms:write:exports'));
  for (const url of ['/exports', `/exports/${id}`, `/exports/${id}/parts/1`]) {
    t.match((await get(url, {}, null)).json(), { error: { code: 'KEY_MISSING' } });
  }
});

void t.test('expires an export and removes its files', async (t) => {
  const exports = await exportApi(t);
  const { api, read, get, deps, exportDir } = exports;
  const begin = Date.now();
  const id = await completedExport(exports);
  const { json } = await read(id);
  const expiresAt = Date.parse(json['data']?.['expiresAt'] as unknown as string);
  const week = 7 * 86_400_000;
  t.ok(expiresAt >= begin + week && expiresAt <= Date.now() + week);
  t.equal(await sweepExports(deps), 0);
  await api.stores.sql`update exports set expires_at = now()`;
  t.equal(await sweepExports(deps), 1);
  t.strictSame(await readdir(exportDir), []);
  t.match((await read(id)).json['data'], { state: 'EXPIRED', rows: 2, parts: [] });
  t.match((await get(`/exports/${id}/parts/1`)).json(), { error: { code: 'EXPORT_EXPIRED' } });
});

void t.test('deletes an export and its files, also one that runs', async (t) => {
  const exports = await exportApi(t);
  const { api, key, create, read, worker, exportDir, failures } = exports;
  const id = await completedExport(exports);
  const queued = exportId(await create({ dataset: 'sessions', ...march }));
  for (const uuid of [id, queued]) {
    const removal = await api.call(key, { method: 'DELETE', url: `/cpms/v1/exports/${uuid}` });
    t.match(removal.json, { data: { id: uuid, deleted: true } });
    t.match((await read(uuid)).json, { error: { code: 'EXPORT_NOT_FOUND' } });
  }
  await worker().work();
  t.strictSame(await readdir(exportDir), []);
  t.same(failures, []);
  const log = await api.call(key, { url: '/cpms/v1/audit-log?category=export' });
  t.strictSame(
    items(log.json['data']).map((entry) => entry['action'] as unknown as string),
    ['delete', 'delete', 'create', 'create'],
  );
});

void t.test('refuses an eleventh unfinished export, and ranges beyond the limits', async (t) => {
  const { create } = await exportApi(t);
  const body = { dataset: 'sessions', ...march };
  for (let n = 0; n < 10; n++) t.equal((await create(body)).status, 201);
  const refused = await create(body);
  t.match(refused.json, { error: { code: 'TOO_MANY_EXPORTS' } });
  t.equal(refused.status, 429);
  const long = await create({ ...body, to: '2027-04-01T00:00:00Z' });
  t.match(long.json, { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field: 'to' }] } } });
  t.match((await create({ ...body, dataset: 'users' })).json, { error: { code: 'VALIDATION_FAILED' } });
});

void t.test('ends a range by change where the next incremental export begins', async (t) => {
  const { api, create, read } = await exportApi(t);
  await addCompleted(api.stores.sql, await addConnector(api), end);
  const begin = Date.now();
  const created = await create({ dataset: 'sessions', by: 'updated', from: '2026-11-01T00:00:00Z' });
  const to = 300_000 + Date.parse((await read(exportId(created))).json['data']?.['to'] as unknown as string);
  t.ok(to >= begin && to <= Date.now(), 'changes of the last minutes may be uncommitted');
});

void t.test('lists exports by state and by cursor', async (t) => {
  const exports = await exportApi(t);
  const { api, key, create } = exports;
  const ids = [await completedExport(exports)];
  for (let n = 0; n < 2; n++) ids.unshift(exportId(await create({ dataset: 'cdrs', ...march })));
  const page = async (query: string) => (await api.call(key, { url: `/cpms/v1/exports?${query}` })).json;
  const idsOf = (json: Awaited<ReturnType<typeof page>>) =>
    items(json['data']).map((item) => item['id'] as unknown);
  t.strictSame(idsOf(await page('state=COMPLETED')), ids.slice(2));
  const first = await page('pageSize=2');
  t.strictSame(idsOf(first), ids.slice(0, 2));
  const second = await page(`pageSize=2&cursor=${first['nextCursor'] as unknown as string}`);
  t.strictSame(idsOf(second), ids.slice(2));
  t.equal(second['nextCursor'], null);
});

void t.test('leaves no final state, and enters each state', (t) => {
  const transitions = Object.values(exportTransitions);
  t.notOk(transitions.some(({ from }) => from.includes('EXPIRED')));
  t.strictSame(
    [...new Set(['QUEUED', ...transitions.map(({ to }) => to)])].toSorted(),
    exportStates.toSorted(),
  );
  t.end();
});
