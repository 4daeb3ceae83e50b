import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { sweepFirmwareFiles } from '#api/services/commands/firmware-images.service.ts';
import { firmwareApi, idOf, pathOf, sha256 } from '#api/test/support/firmware-api.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

void t.test('an image is announced, uploaded, listed, and fetched by a charger in two ranges', async (t) => {
  const { api, key, modelId, list, announce, upload, firmwareDir } = await firmwareApi(t);
  const content = randomBytes(300_000);
  const announced = await announce({ releaseNotes: 'First.\nBetter.', checksum: sha256(content) });
  t.match(announced, {
    status: 201,
    json: { data: { status: 'Pending', fileUrl: null, fileSizeBytes: null, isLatest: false, modelId } },
  });
  const id = idOf(announced);
  t.match((await api.call(key, { url: list })).json, { data: [], pagination: { total: 0 } });
  t.match((await api.call(key, { url: `${list}?status=Pending` })).json['data'], [{ id }]);

  const uploaded = await upload(id, Readable.from([content.subarray(0, 1000), content.subarray(1000)]));
  t.equal(uploaded.status, 200, uploaded.text);
  t.strictSame(uploaded.json['data'], {
    id,
    version: '1.0.0',
    fileName: 'one-1.0.0.bin',
    fileUrl: uploaded.json['data']?.['fileUrl'],
    fileSizeBytes: content.length,
    releaseNotes: 'First.\nBetter.',
    ocppVersionSupport: '1.6,2.0.1',
    checksum: sha256(content),
    isLatest: true,
    releasedAt: announced.json['data']?.['releasedAt'],
    createdAt: announced.json['data']?.['createdAt'],
    modelId,
    status: 'Complete',
    uploadedAt: uploaded.json['data']?.['uploadedAt'],
  });
  t.match(
    uploaded.json['data']?.['fileUrl'],
    /^http:\/\/chargeway\.test\/firmware\/[^/]+\/[\w-]{24}\/one-1\.0\.0\.bin$/,
  );
  t.strictSame((await api.call(key, { url: list })).json['data'], [uploaded.json['data']]);
  t.strictSame(
    (await api.call(key, { url: `/cpms/v1/firmware-images/${id}` })).json['data'],
    uploaded.json['data'],
  );
  t.strictSame(await readdir(firmwareDir), [id], 'nothing else is left on disk');

  // As a charger does it: over HTTP, without a key.
  const base = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const url = base + pathOf(uploaded);
  const fetched = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });
  const head = await fetched({}, 'HEAD');
  t.equal(head.status, 200);
  t.equal(head.headers.get('content-length'), String(content.length));
  t.equal(head.headers.get('accept-ranges'), 'bytes');
  t.equal(head.headers.get('content-type'), 'application/octet-stream');
  t.equal(
    head.headers.get('repr-digest'),
    `sha-256=:${createHash('sha256').update(content).digest('base64')}:`,
  );
  const etag = head.headers.get('etag') ?? '';
  const first = await fetched({ range: 'bytes=0-99999' });
  t.equal(first.status, 206);
  t.equal(first.headers.get('content-range'), `bytes 0-99999/${content.length}`);
  const rest = await fetched({ range: 'bytes=100000-', 'if-range': etag });
  t.equal(rest.status, 206);
  t.equal(rest.headers.get('content-length'), '200000');
  const parts = Buffer.concat([
    Buffer.from(await first.arrayBuffer()),
    Buffer.from(await rest.arrayBuffer()),
  ]);
  t.equal(sha256(parts), sha256(content));
  t.equal(sha256(Buffer.from(await (await fetched()).arrayBuffer())), sha256(content), 'the whole');
  const stale = await fetched({ range: 'bytes=0-1', 'if-range': '"other"' });
  t.equal(stale.status, 200, 'a part of another image is answered with this one, whole');
  await stale.body?.cancel();
  // Not by fetch, which asks for a fresh copy whenever it is given a condition.
  const unchanged = await api.app.inject({ url: pathOf(uploaded), headers: { 'if-none-match': etag } });
  t.match(unchanged, { statusCode: 304, body: '' });
  t.equal((await fetched({ 'if-match': '"other"' })).status, 412);
  const beyond = await fetched({ range: `bytes=${content.length}-` });
  t.equal(beyond.status, 416);
  t.equal(beyond.headers.get('content-range'), `bytes */${content.length}`);
  t.match(await beyond.json(), { code: 'RANGE_NOT_SATISFIABLE' });
});

void t.test('a download needs the whole path, and ends with the image', async (t) => {
  const { api, settings, announce, upload, remove, firmwareDir } = await firmwareApi(t);
  const id = idOf(await announce());
  const path = pathOf(await upload(id, Buffer.from('image')));
  const [, , , token = ''] = path.split('/');
  t.match(await api.call(null, { url: path }), { status: 200, text: 'image' });
  const notFound = { status: 404, json: { code: 'FIRMWARE_NOT_FOUND' } };
  t.match(await api.call(null, { url: path.replace(token, 'x'.repeat(24)) }), notFound);
  t.match(await api.call(null, { url: path.replace('one-1.0.0.bin', 'other.bin') }), notFound);
  t.match(await api.call(null, { url: path.replace(id, unknown) }), notFound);
  t.equal((await api.call(null, { url: path.replace(id, '..%2f..') })).status, 400);
  const pending = idOf(await announce({ version: '2.0.0' }));
  const [row] = await api.stores.sql<{ token: string }[]>`
    select download_token as token from firmware_images where uuid = ${pending}`;
  t.match(await api.call(null, { url: `/firmware/${pending}/${row?.token}/one-1.0.0.bin` }), notFound);

  await writeFile(join(firmwareDir, `${unknown}.part`), 'left by a process that died');
  await writeFile(join(firmwareDir, unknown), 'not ours to judge');
  const fresh = join(firmwareDir, `${unknown}.fresh.part`);
  await writeFile(fresh, 'under way');
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(firmwareDir, `${unknown}.part`), longAgo, longAgo);
  const deps = { ...api.deps, settings };
  t.equal(await sweepFirmwareFiles(deps), 1, 'the broken upload');
  t.match(await remove(id), { status: 200, json: { data: { id, deleted: true } } });
  t.match(await api.call(null, { url: path }), notFound);
  t.equal((await remove(id)).status, 404);
  t.equal(await sweepFirmwareFiles(deps), 1, 'the removed image');
  t.strictSame((await readdir(firmwareDir)).toSorted(), [unknown, `${unknown}.fresh.part`].toSorted());
  t.equal(await sweepFirmwareFiles({ ...deps, settings: { ...settings, firmwareDir: '/nowhere' } }), 0);

  const again = await upload(idOf(await announce()), Buffer.from('again'));
  await rm(join(firmwareDir, idOf(again)));
  t.match(await api.call(null, { url: pathOf(again) }), notFound, 'another process has the bytes');
  t.match(api.log(), /Check that all API processes share FIRMWARE_DIR/);
});
