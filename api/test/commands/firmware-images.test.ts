import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import t from 'tap';
import { until } from '#shared/testing/until.ts';
import { firmwareApi, firstParty, idOf, octets, pathOf, sha256 } from '#api/test/support/firmware-api.ts';
import { type Answer, items, mintKey } from '#api/test/support/fixtures.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

void t.test('a complete image never changes, even with concurrent uploads', async (t) => {
  const { api, announce, upload, firmwareDir } = await firmwareApi(t);
  const id = idOf(await announce());
  const contents = [randomBytes(50_000), randomBytes(50_000)];
  const answers = await Promise.all(contents.map((content) => upload(id, content)));
  t.strictSame(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  t.match(await upload(id, randomBytes(10)), { status: 409, json: { error: { code: 'FIRMWARE_COMPLETE' } } });
  const won = answers.find(({ status }) => status === 200);
  const kept = contents.find((content) => sha256(content) === (won?.json['data']?.['checksum'] as unknown));
  const download = await api.app.inject({ url: pathOf(won as Answer) });
  t.equal(sha256(download.rawPayload), sha256(kept as Buffer));
  t.strictSame(await readdir(firmwareDir), [id]);
  t.match(
    await api.stores
      .sql`select action, details::text from audit_log where category = 'firmware-image' order by id`,
    [{ action: 'create' }, { action: 'upload', details: new RegExp(sha256(kept as Buffer)) }],
  );
  const token = pathOf(won as Answer).split('/')[3] ?? '?';
  const entries = await api.stores.sql`select 1 from audit_log where details::text like ${`%${token}%`}`;
  t.equal(entries.length, 0, 'the secret part of its URL is not in the audit log');
});

void t.test('rejects an invalid image and stores nothing', async (t) => {
  const { api, key, list, post, announce, upload, firmwareDir } = await firmwareApi(t, {
    firmwareMaxBytes: 1000,
  });
  for (const changes of [
    { version: '' },
    { fileName: '../../etc/passwd' },
    { fileName: '.hidden' },
    { fileName: 'a b.bin' },
    { ocppVersionSupport: '1.5' },
    { ocppVersionSupport: '1.6,1.6' },
    { checksum: 'abc' },
    { releasedAt: 'soon' },
    { isLatest: true },
  ]) {
    t.match(await announce(changes), { status: 400 }, JSON.stringify(changes));
  }
  const id = idOf(await announce({ checksum: sha256(Buffer.from('right')) }));
  t.match(await announce(), { status: 409, json: { error: { code: 'FIRMWARE_EXISTS' } } });
  t.match(await upload(id, Buffer.from('wrong')), {
    status: 400,
    json: { error: { code: 'CHECKSUM_MISMATCH', details: { received: sha256(Buffer.from('wrong')) } } },
  });
  const tooLarge = { status: 413, json: { error: { code: 'BODY_TOO_LARGE', details: { maxBytes: 1000 } } } };
  t.match(await upload(id, randomBytes(1001)), tooLarge, 'by its content length');
  t.match(await upload(id, Readable.from([randomBytes(600), randomBytes(600)])), tooLarge, 'as it comes');
  t.match(await upload(id, Readable.from([])), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED' } },
  });
  t.match(await upload(id, '{}', { 'content-type': 'application/json' }), {
    status: 415,
    json: {
      error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be application/octet-stream.' },
    },
  });
  t.match(await api.call(key, { method: 'PUT', url: `/cpms/v1/firmware-images/${id}/content` }), {
    status: 415,
  });
  t.match(await upload(unknown, Buffer.from('right')), {
    status: 404,
    json: { error: { code: 'FIRMWARE_NOT_FOUND' } },
  });
  t.match(await api.call(key, { url: list.replace(/[0-9a-f-]{36}/, unknown) }), {
    status: 404,
    json: { error: { code: 'MODEL_NOT_FOUND' } },
  });
  t.equal(
    (
      await post(`/charger-models/${unknown}/firmware`, {
        version: '1',
        fileName: 'a',
        ocppVersionSupport: '1.6',
      })
    ).status,
    404,
  );

  // A client that goes away in the middle.
  const base = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
  const broken = httpRequest({
    host: base.hostname,
    port: base.port,
    method: 'PUT',
    path: `/cpms/v1/firmware-images/${id}/content`,
    headers: { ...octets, 'x-api-key': key, 'content-length': 900 },
  });
  broken.on('error', () => undefined);
  broken.write(randomBytes(100));
  await until('the upload to have begun', async () => (await readdir(firmwareDir)).length === 1);
  broken.destroy();
  await until('its bytes to be gone', async () => (await readdir(firmwareDir)).length === 0);

  t.match(await upload(id, Buffer.from('right')), { status: 200 }, 'and the right one is taken after all');
});

void t.test('marks the newest stored release as the latest', async (t) => {
  const { api, key, list, announce, upload, remove } = await firmwareApi(t);
  const ids: string[] = [];
  for (const [version, releasedAt] of [
    ['2.0.0', '2026-02-01T00:00:00Z'],
    ['1.0.0', '2026-01-01T00:00:00Z'],
    ['3.0.0', '2999-01-01T00:00:00Z'],
  ]) {
    const id = idOf(await announce({ version, releasedAt }));
    await upload(id, Buffer.from(`${version}`));
    ids.push(id);
  }
  await announce({ version: '2.5.0', releasedAt: '2026-03-01T00:00:00Z' });
  const shown = async () =>
    items((await api.call(key, { url: list })).json['data']).map(({ version, isLatest }) => [
      version,
      isLatest,
    ]);
  t.same(await shown(), [
    ['3.0.0', false],
    ['2.0.0', true],
    ['1.0.0', false],
  ]);
  t.match((await api.call(key, { url: `${list}?page=2&pageSize=2` })).json, {
    data: [{ version: '1.0.0' }],
    pagination: { page: 2, total: 3, totalPages: 2 },
  });
  await remove(ids[0] ?? '');
  t.same(await shown(), [
    ['3.0.0', false],
    ['1.0.0', true],
  ]);
});

void t.test('hides firmware images from callers of other networks', async (t) => {
  const { api, list, announce } = await firmwareApi(t);
  const id = idOf(await announce());
  const reads = [{ url: list }, { url: `/cpms/v1/firmware-images/${id}` }];
  const writes = [
    { method: 'POST', url: list, payload: { version: '9', fileName: 'a', ocppVersionSupport: '1.6' } },
    {
      method: 'PUT',
      url: `/cpms/v1/firmware-images/${id}/content`,
      payload: Buffer.from('x'),
      headers: octets,
    },
    { method: 'DELETE', url: `/cpms/v1/firmware-images/${id}` },
  ] as const;
  const pinned = await mintKey(api);
  const reader = await mintKey(api, { ...firstParty, scopes: ['cpms:read:catalog'] });
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  for (const request of reads) {
    t.equal((await api.call(pinned, request)).status, 200);
    t.equal((await api.call(scopeless, request)).status, 403);
    t.equal((await api.call(null, request)).status, 401);
  }
  for (const request of writes) {
    t.match(await api.call(pinned, request), { json: { error: { code: 'CATALOG_NOT_ALLOWED' } } });
    t.match(await api.call(reader, request), { json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
});
