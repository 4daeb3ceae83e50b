import t from 'tap';
import { insertFirmwareUpdate } from '#shared/postgres/commands/requested-transfers.ts';
import { firmwareApi, idOf } from '#api/test/support/firmware-api.ts';
import { holdCharger, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { answered, connectedCharger } from '#api/test/support/held-charger.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

void t.test('sends all fields of a firmware update and returns the stored status', async (t) => {
  const api = await startTestApi(t);
  const { id, taken, ask } = await connectedCharger(api, () => answered({ payload: { status: 'Accepted' } }));
  const never = (await ask('GET', 'firmware/status')).json['data'];
  t.match(never, { chargerId: id, isOnline: false, lastHeartbeat: null, lastFirmwareUpdate: null });
  const answer = await ask('POST', 'firmware/update', {
    location: 'ftp://files.example/f.bin',
    retrieveDate: '2030-01-01T00:00:00+01:00',
    installDate: '2030-01-02T00:00:00Z',
    signing: { certificate: 'PEM', signature: 'c2ln' },
    retries: 2,
    retryInterval: 30,
  });
  t.same(answer.json['data'], {
    chargerId: id,
    firmwareVersionId: null,
    firmwareVersion: null,
    location: 'ftp://files.example/f.bin',
    checksum: null,
    accepted: true,
    payload: '{"status":"Accepted"}',
    message: 'The charger accepted; it reports its progress.',
  });
  t.match(taken, [
    {
      command: {
        type: 'update-firmware',
        requestId: Number,
        location: 'ftp://files.example/f.bin',
        retrieveAt: new Date('2029-12-31T23:00:00Z'),
        installAt: new Date('2030-01-02T00:00:00Z'),
        signing: { certificate: 'PEM', signature: 'c2ln' },
        retries: 2,
        retryIntervalSeconds: 30,
      },
    },
  ]);
  await api.stores.sql`
    insert into firmware_updates (charger_id, request_id, location, status, outcome, closed_at)
    select id, 7, 'ftp://files.example/f.bin', 'Installed', 'succeeded', now() from chargers`;
  t.match((await ask('GET', 'firmware/status')).json['data'], {
    lastFirmwareUpdate: {
      id: String,
      requestId: 7,
      location: 'ftp://files.example/f.bin',
      firmwareVersion: null,
      status: 'Installed',
      outcome: 'succeeded',
      requestedAt: String,
    },
  });
});

void t.test('sends a charger the URL of an image for its model', async (t) => {
  const { api, key, modelId, manufacturerId, announce, upload, post } = await firmwareApi(t);
  const { id } = await register(api, key, {
    serial: 'CP-1',
    networkUuid: api.network.uuid,
    modelUuid: modelId,
  });
  const taken = await holdCharger(api, 'CP-1', () => answered({ payload: { status: 'Accepted' } }));
  const image = idOf(await announce());
  const update = (body: object, charger = id) => post(`/chargers/${charger}/firmware/update`, body);
  t.match(await update({ firmwareVersionId: image }), {
    status: 409,
    json: { error: { code: 'FIRMWARE_INCOMPLETE' } },
  });
  const uploaded = await upload(image, Buffer.from('image'));
  const { fileUrl, checksum } = uploaded.json['data'] as unknown as { fileUrl: string; checksum: string };
  t.match(await update({ firmwareVersionId: image }), {
    status: 200,
    json: {
      data: {
        firmwareVersionId: image,
        firmwareVersion: '1.0.0',
        location: fileUrl,
        checksum,
        accepted: true,
      },
    },
  });
  t.match(taken, [{ command: { type: 'update-firmware', location: fileUrl } }]);
  t.match(await update({ firmwareVersionId: unknown }), {
    status: 404,
    json: { error: { code: 'FIRMWARE_NOT_FOUND' } },
  });
  t.match(await update({}), { status: 400 });
  t.match(await update({ firmwareVersionId: image, location: 'https://files.example/f' }), { status: 400 });
  const other = await post('/charger-models', { manufacturerId, modelName: 'Two', ocppVersion: '1.6' });
  const elsewhere = await register(api, key, {
    serial: 'CP-2',
    networkUuid: api.network.uuid,
    modelUuid: other.json['data']?.['id'],
  });
  t.match(await update({ firmwareVersionId: image }, elsewhere.id), {
    status: 409,
    json: { error: { code: 'FIRMWARE_MISMATCH', details: { imageModelId: modelId } } },
  });

  // What the shard keeps of the call that it sent.
  const [charger] = await api.stores.sql<{ id: number }[]>`select id from chargers where uuid = ${id}`;
  const asked = {
    type: 'firmware-update' as const,
    kind: 'Update' as const,
    requestId: 7,
    retrieveAt: new Date(),
    installAt: null,
  };
  const status = async () =>
    (await api.call(key, { url: `/cpms/v1/chargers/${id}/firmware/status` })).json['data']?.[
      'lastFirmwareUpdate'
    ];
  await insertFirmwareUpdate(api.stores.sql, charger?.id ?? 0, { ...asked, location: fileUrl });
  t.match(await status(), { location: fileUrl, firmwareVersion: '1.0.0', status: 'Requested' });
  const forged = fileUrl.replace(/\/[\w-]{24}\//, `/${'x'.repeat(24)}/`);
  await insertFirmwareUpdate(api.stores.sql, charger?.id ?? 0, { ...asked, location: forged });
  t.match(await status(), { location: forged, firmwareVersion: null });
});

const password = 'c0ffee-c0ffee';

for (const [what, location, shown] of [
  ['a password', `ftp://user:${password}@files.example/f.bin`, 'ftp://***@files.example/f.bin'],
  ['a token as user', `https://${password}@files.example/f.bin`, 'https://***@files.example/f.bin'],
  ['a signature', `https://files.example/f?v=1&sig=${password}`, 'https://files.example/f?v=1&sig=***'],
] as const) {
  void t.test(`a firmware URL with ${what} is sent whole and masked everywhere else`, async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const { id, taken, ask } = await connectedCharger(api, () =>
      answered({ payload: { status: 'Accepted' } }),
    );
    const answer = await ask('POST', 'firmware/update', { location });
    t.match(answer.json['data'], { accepted: true, location: shown });
    t.match(taken, [{ command: { location } }], 'the charger gets all of it');

    const [charger] = await sql<{ id: number }[]>`select id from chargers where uuid = ${id}`;
    const update = { kind: 'Update', requestId: 1, location, retrieveAt: null, installAt: null } as const;
    await insertFirmwareUpdate(sql, charger?.id ?? 0, { type: 'firmware-update', ...update } as never);
    t.same(await sql`select location from firmware_updates`, [{ location: shown }], 'as it is stored');
    // As older versions stored it.
    await sql`update firmware_updates set location = ${location}`;
    const reader = await mintKey(api, { scopes: ['cpms:read'] });
    const status = await api.call(reader, { url: `/cpms/v1/chargers/${id}/firmware/status` });
    t.match(status.json['data'], { lastFirmwareUpdate: { location: shown } });

    const audited = await sql<{ text: string }[]>`select details::text as text from audit_log`;
    t.ok(audited.some(({ text }) => text.includes('files.example')));
    const kept = await sql`select * from idempotency_keys`;
    for (const text of [answer.text, status.text, JSON.stringify(audited), JSON.stringify(kept), api.log()]) {
      t.notMatch(text, password);
    }
  });
}

void t.test('a firmware URL is written with two slashes before its host', async (t) => {
  const api = await startTestApi(t);
  const { ask } = await connectedCharger(api, () => answered({ payload: { status: 'Accepted' } }));
  for (const location of [
    'https:user:pass@files.example/f',
    'https:\\\\user:pass@files.example/f',
    'https:///files.example/f',
  ]) {
    t.match(await ask('POST', 'firmware/update', { location }), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
});
