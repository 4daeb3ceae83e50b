import t from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { holdCharger, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { inAnHour, keepsReservations } from './support/command-rig.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { changes, example, examples } from './support/standard/examples.ts';
import { misfits, type Shape } from './support/standard/shape.ts';
import { CommandResponse, CommandResult } from './support/standard/asked.ts';

/** The party of the standard's tokens. */
const party = { countryCode: 'DE', partyId: 'TNM' };
const done = { status: 200, json: { status_code: 1000 } };

/** A network that is the standard's CPO of Gent, with a partner that owns its tokens and may write its locations. */
async function startGent() {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t, party);
  await api.stores.sql`
    update networks set country_code = 'BE', party_id = 'BEC' where id = ${api.network.id}`;
  const { token } = await registerEmsp(api, emsp, { party, partner: { writeScopes: ['locations'] } });
  return {
    api,
    emsp,
    send: (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, payload?: object) =>
      ocpi(api, token, { method, url: `/ocpi/cpo/${path}`, ...(payload && { payload }) }),
  };
}

/**
 * Converts an object to the form in which we send it: times have their milliseconds. These fields are left
 * out.
 */
function asTold(value: unknown, without: string[] = []): unknown {
  if (typeof value === 'string') return value.replace(/(T\d\d:\d\d:\d\d)Z$/, '$1.000Z');
  if (Array.isArray(value)) return value.map((item) => asTold(item, without));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !without.includes(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, asTold(part, without)]));
}

/** Location fields that only we set: the time of our change (docs/adr/0024-evse-records.md), and the assigned tariffs. */
const ours = ['last_updated', 'tariff_ids'];

const renamed: Record<string, string> = {
  twentyfourseven: 'twentyFourSeven',
  environ_impact: 'environmentalImpacts',
};

/** A part of a location in the names of the documented surface; its EVSEs are alike on both. */
function inDocumentedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDocumentedNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => {
      if (name === 'evses') return [name, part];
      if (name === 'parking_type') return ['parkingType', { value: part }];
      const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [renamed[name] ?? camel, inDocumentedNames(part)];
    }),
  );
}

const optional = (shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, [cardinality, kind]]) => [
      name,
      [cardinality === '1' ? '?' : cardinality === '+' ? '*' : cardinality, kind] as const,
    ]),
  );

void t.test('the examples of the standard have the form that our objects are held to', async (t) => {
  for (const [name, { section, shape }] of Object.entries(examples)) {
    t.strictSame(misfits(example(name), shape), [], `${name} of §${section}`);
  }
  for (const [name, { section, shape }] of Object.entries(changes)) {
    t.strictSame(misfits(example(name), optional(shape)), [], `${name} of §${section}`);
  }
});

void t.test('accepts and returns the examples of the standard', async (t) => {
  const { api, emsp, send } = await startGent();

  await t.test('tokens', async (t) => {
    for (const name of ['token-rfid', 'token-put']) {
      const token = example(name);
      const path = `2.2.1/tokens/DE/TNM/${String(token['uid'])}`;
      t.match(await send('PUT', path, token), { ...done, status: 201 });
      t.strictSame((await send('GET', path)).json['data'], asTold(token));
      const patch = example('token-patch');
      t.match(await send('PATCH', path, patch), done);
      t.strictSame((await send('GET', path)).json['data'], asTold({ ...token, ...patch }));
    }
  });

  await t.test(
    'locations with their EVSEs, written as the document has it and read as the standard has',
    async (t) => {
      const gent = example('location');
      const garage: Record<string, unknown> = {
        ...example('location-parking-garage'),
        country_code: 'BE',
        party_id: 'BEC',
      };
      const hours = ['hours-always-but-closed-once', 'hours-closed-once', 'hours-open-once'];
      const mixes = ['energy-mix-simple', 'energy-mix-provider', 'energy-mix-complete'];
      const variants = [
        ...hours.map((name) => ({ opening_times: example(name) })),
        ...mixes.map((name) => example(name)),
      ].map((part, index) => {
        const { evses: _evses, ...place } = gent;
        return { ...place, ...part, id: `GENT-${index}` };
      });
      for (const location of [gent, garage, ...variants]) {
        const id = String(location.id);
        t.match(await send('PUT', `2.2/locations/${id}`, inDocumentedNames(location) as object), done, id);
        const served = (await send('GET', `2.2.1/locations/${id}`)).json['data'];
        t.match(asTold(served), asTold(location, ours), id);
        t.strictSame(misfits(served, examples['location']?.shape ?? {}), [], id);
      }

      for (const [name, path, write] of [
        ['location-patch', 'LOC1', inDocumentedNames],
        ['evse-patch', 'LOC1/3256', asTold],
        ['connector-patch', 'LOC1/3256/1', asTold],
      ] as const) {
        const patch = example(name);
        t.match(await send('PATCH', `2.2/locations/${path}`, write(patch) as object), done, name);
        const served = (await send('GET', `2.2.1/locations/${path}`)).json['data'];
        t.match(asTold(served), asTold(patch, ours), name);
      }
    },
  );

  await t.test('commands with its token, at its place', async (t) => {
    const { sql } = api.stores;
    const [charger] = await sql<{ id: number; uid: string }[]>`
      select c.id, c.uid from chargers c join evses e on e.charger_id = c.id where e.uid = '3256'`;
    const taken = await holdCharger(api, charger?.uid ?? '', keepsReservations(sql, charger?.id ?? 0));
    startQueuedJobs(t, api.deps);
    const token = example('token-rfid');
    const place = { location_id: 'LOC1', evse_uid: '3256' };
    const reservation = {
      reservation_id: '1234',
      expiry_date: inAnHour(),
    };
    for (const [command, body] of [
      ['START_SESSION', { token, ...place, connector_id: '1' }],
      ['RESERVE_NOW', { token, ...place, ...reservation }],
      ['CANCEL_RESERVATION', { reservation_id: '1234' }],
      ['UNLOCK_CONNECTOR', { ...place, connector_id: '1' }],
    ] as const) {
      const asked = { response_url: `${emsp.url}/results/${command}`, ...body };
      const { json } = await send('POST', `2.2.1/commands/${command}`, asked);
      t.match(json, { status_code: 1000, data: { result: 'ACCEPTED' } }, command);
      t.strictSame(misfits(json['data'], CommandResponse), [], command);
      const { body: result } = await emsp.next('POST', `/results/${command}`);
      t.match(result, { result: 'ACCEPTED' }, command);
      t.strictSame(misfits(result, CommandResult), [], command);
    }
    t.match(taken[0]?.command, { type: 'remote-start', idToken: token['uid'] });
  });

  await t.test('tariffs that an operator makes as the standard has them', async (t) => {
    const key = await mintKey(api, { unrestricted: true });
    const operate = (url: string, payload: object) =>
      api.call(key, { method: 'POST', url: `/cpms/v1${url}`, payload });
    const shape = examples['tariff-complex']?.shape ?? {};
    for (const name of Object.keys(examples).filter((one) => one.startsWith('tariff-'))) {
      // Whose it is, its id, its currency and its time are ours to say.
      const { country_code: _c, party_id: _p, id: _i, currency, last_updated: _t, ...terms } = example(name);
      const made = await operate('/tariffs', { name, networkUuid: api.network.uuid, ...terms });
      t.match(made, { status: 201 }, name);
      const tariffUuid = made.json['data']?.['id'] as unknown as string;
      t.match(
        await operate('/tariff-assignments', { tariffUuid, networkUuid: api.network.uuid }),
        { status: 201 },
        name,
      );
      const served = (await send('GET', `2.2/tariffs/${tariffUuid}`)).json['data'];
      t.match(served, asTold({ currency, ...terms }), name);
      t.strictSame(misfits(served, shape), [], name);
    }
  });
});
