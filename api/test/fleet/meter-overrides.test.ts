import { randomUUID } from 'node:crypto';
import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

/** A first-party key: not pinned to networks. */
const firstParty = { unrestricted: true, networkIds: [] };

const energy = 'Energy.Active.Import.Register';

void t.test('meter overrides of a model', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, firstParty);
  const [model] = await api.stores.sql<{ uuid: string }[]>`
    with f as (insert into manufacturers (name) values ('Volt') returning id)
    insert into charger_models (manufacturer_id, model_name, ocpp_version) select id, 'One', '1.6' from f returning uuid`;
  const url = `/cpms/v1/charger-models/${model?.uuid}/meter-overrides`;
  const patch = (by: string | null, overrides: unknown, headers = {}, at = url) =>
    api.call(by, { method: 'PATCH', url: at, payload: { overrides }, headers });

  await t.test('are set, read and replaced, and each change is audited', async (t) => {
    const none = await api.call(key, { url });
    t.match(none, {
      status: 200,
      headers: { etag: '"0"' },
      json: { data: { overrides: [], updatedAt: null } },
    });

    const kwh = { measurand: energy, saidUnit: 'Wh', unit: 'kWh' };
    const complete = { ...kwh, firmware: null, factor: 1, phases: null };
    const set = await patch(key, [kwh], { 'if-match': '"0"' });
    t.equal(set.status, 200, set.text);
    t.equal(set.headers['etag'], '"1"');
    t.strictSame(set.json['data']?.['overrides'], [complete]);
    t.strictSame((await api.call(key, { url })).json['data'], set.json['data']);

    const tenth = { measurand: 'meterStop', firmware: '1.4', factor: 0.1 };
    const sum = { measurand: 'Power.Active.Import', phases: 'max' };
    const replaced = await patch(key, [tenth, sum]);
    t.match(replaced.json['data'], { overrides: [tenth, sum], version: 2 });
    t.match(await patch(key, [], { 'if-match': '"1"' }), {
      status: 412,
      json: { error: { code: 'PRECONDITION_FAILED', details: { version: 2 } } },
    });
    t.equal((await patch(key, [])).status, 200, 'none again');
    t.match(
      await api.stores
        .sql`select resource_id, details from audit_log where action = 'update-meter-overrides' order by id`,
      [
        {
          resource_id: model?.uuid,
          details: { before: { overrides: [] }, after: { overrides: [complete] } },
        },
        { details: { before: { overrides: [complete] } } },
        { details: { after: { overrides: [] } } },
      ],
    );
  });

  await t.test('rejects invalid overrides by field', async (t) => {
    const wrong: [unknown, string][] = [
      ['all', 'overrides'],
      [[{ measurand: energy }], 'overrides'],
      [[{ measurand: 'Vendor.Mood', factor: 2 }], 'measurand'],
      [[{ measurand: energy, factor: 0 }], 'factor'],
      [[{ measurand: energy, factor: 1e9 }], 'factor'],
      [[{ measurand: energy, unit: 'horse' }], 'overrides.0.unit must be one of Wh, kWh'],
      [[{ measurand: energy, phases: 'product' }], 'phases'],
      [[{ measurand: energy, saidUnit: 'x'.repeat(51) }], 'saidUnit'],
      [[{ measurand: energy, firmware: '' }], 'firmware'],
      [[{ measurand: energy, saidUnit: '\u0000' }], 'saidUnit'],
      [[{ measurand: energy, factor: 2, mood: 1 }], 'mood'],
      [[{ measurand: 'meterStart', saidUnit: 'Wh', factor: 2 }], 'overrides.0.saidUnit must be null'],
      [[{ measurand: 'meterStart', phases: 'sum' }], 'overrides.0.phases must be null'],
      [Array.from({ length: 51 }, () => ({ measurand: energy, factor: 2 })), 'overrides'],
    ];
    for (const [overrides, named] of wrong) {
      const answer = await patch(key, overrides);
      t.equal(answer.status, 400, answer.text);
      t.ok(answer.text.includes(named), `${named}: ${answer.text}`);
    }
    const kept = (await api.call(key, { url })).json['data']?.['overrides'];
    t.strictSame(kept, [] as never, 'nothing of it is kept');
  });

  await t.test('shows the catalog to all callers and lets first parties change it', async (t) => {
    const pinned = await mintKey(api, {});
    t.equal((await api.call(pinned, { url })).status, 200);
    const set = [{ measurand: energy, factor: 2 }];
    t.match(await patch(pinned, set), { status: 403, json: { error: { code: 'CATALOG_NOT_ALLOWED' } } });
    const reader = await mintKey(api, { ...firstParty, scopes: ['cpms:read'] });
    t.match(await patch(reader, set), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    const stranger = await mintKey(api, { ...firstParty, scopes: ['cpms:read:networks'] });
    t.match(await api.call(stranger, { url }), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, { url })).status, 401);
    t.equal((await patch(null, set)).status, 401);
    const unknown = `/cpms/v1/charger-models/${randomUUID()}/meter-overrides`;
    t.match(await api.call(key, { url: unknown }), {
      status: 404,
      json: { error: { code: 'MODEL_NOT_FOUND' } },
    });
    t.equal((await patch(key, set, {}, unknown)).status, 404);
  });
});
