import t from 'tap';
import { statusEventTable } from '#shared/clickhouse/status-events.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { seedCharger, type SeededCharger } from '#shared/testing/seed.ts';

const at = (time: string) => `2026-03-${time}:00.000Z`;
const day = `from=${at('02T00:00')}&to=${at('03T00:00')}`;
const noSocket = '00000000-0000-0000-0000-000000000000';
const socket = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

const hoursOf = (sum: { states?: unknown } | undefined) =>
  Object.fromEntries(
    items(sum?.['states'] as never).flatMap(({ state, hours }) =>
      Number(hours) === 0 ? [] : [[state, hours]],
    ),
  );

void t.test('sums the states and faults of connectors', async (t) => {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const location = await addLocation(sql, api.network.id);
  const [steady, flaky] = [
    await seedCharger(sql, api.network.id, { uid: 'STEADY', connectors: 1 }),
    await seedCharger(sql, api.network.id, { uid: 'FLAKY', connectors: 1 }),
  ];
  const foreign = await seedCharger(sql, api.otherNetwork.id, { connectors: 1 });
  await sql`update chargers set location_id = ${location.id} where id = ${flaky.id}`;
  const rows: unknown[][] = [];
  const report = (
    charger: SeededCharger,
    time: string,
    status: string,
    code = 'NoError',
    networkId = api.network.id,
  ) =>
    rows.push([
      networkId,
      charger.id,
      Date.parse(at(time)),
      0,
      'status',
      1,
      1,
      status,
      code,
      '',
      '',
      noSocket,
    ]);
  const sockets = (charger: SeededCharger, time: string, kind: string, number: number) =>
    rows.push([
      api.network.id,
      charger.id,
      Date.parse(at(time)),
      0,
      kind,
      0,
      0,
      '',
      '',
      '',
      '',
      socket(number),
    ]);
  report(steady, '01T12:00', 'Available');
  report(steady, '02T06:00', 'Charging');
  report(steady, '02T06:00', 'Charging');
  report(steady, '02T12:00', 'Available');
  report(steady, '04T12:00', 'Faulted', 'GroundFailure');
  // The close of an earlier socket changes nothing.
  sockets(steady, '02T03:00', 'connected', 2);
  sockets(steady, '02T03:01', 'disconnected', 1);
  sockets(flaky, '01T06:00', 'connected', 1);
  report(flaky, '01T20:00', 'Faulted', 'OverCurrentFailure');
  report(flaky, '02T02:00', 'Available');
  report(flaky, '02T08:00', 'Faulted', 'GroundFailure');
  report(flaky, '02T09:00', 'Faulted', 'GroundFailure');
  report(flaky, '02T10:00', 'Unavailable');
  sockets(flaky, '02T18:00', 'disconnected', 1);
  sockets(flaky, '02T21:00', 'connected', 2);
  report(foreign, '02T01:00', 'Faulted', 'GroundFailure', api.otherNetwork.id);
  await clickhouse.insert({
    table: 'status_events',
    columns: [...statusEventTable.columns],
    values: rows,
    format: 'JSONCompactEachRow',
  });
  const key = await mintKey(api);
  const read = async (query: string) => {
    const { status, json } = await api.call(key, { url: `/cpms/v1/analytics/availability?${day}&${query}` });
    t.equal(status, 200, query);
    return json['data'];
  };
  const found = await read('by=charger');
  t.match(found, {
    by: 'charger',
    groupCount: 2,
    totals: { observedHours: 48, availabilityPercent: 62.5, faults: 1, faultHours: 4 },
    faultCodes: [
      { code: 'GroundFailure', faults: 1, hours: 2 },
      { code: 'OverCurrentFailure', faults: 0, hours: 2 },
    ],
  });
  const groups = items(found?.['groups']);
  t.strictSame(
    groups.map((group) => [group['name'], group['availabilityPercent'], hoursOf(group)]),
    [
      ['FLAKY', 25, { available: 6, faulted: 4, unavailable: 11, offline: 3 }],
      ['STEADY', 100, { available: 18, occupied: 6 }],
    ],
  );
  t.match(items((await read('by=charger&order=desc&limit=1'))?.['groups']), [{ id: steady.uuid }]);
  t.match(await read('by=charger&limit=0'), { groups: { length: 0 }, groupCount: 2 });
  t.match(items((await read(`locationId=${location.uuid}`))?.['groups']), [
    { id: location.uuid, name: 'Harbour', availabilityPercent: 25 },
  ]);
  t.match(await read('by=model'), { groups: [{ id: null, name: null, availabilityPercent: 62.5 }] });
  t.match(await read('by=network'), { groups: [{ id: api.network.uuid }] });
  t.match(await read(`modelId=${location.uuid}`), {
    totals: { availabilityPercent: null, observedHours: 0 },
    groupCount: 0,
  });
});

void t.test("limits availability to the caller's networks and rejects invalid queries", async (t) => {
  const api = await startTestApi(t);
  const url = '/cpms/v1/analytics/availability';
  const key = await mintKey(api);
  t.match(await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  const reader = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.match(await api.call(reader, { url }), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  t.match(await api.call(emsp, { url }), { status: 403, json: { error: { code: 'API_FAMILY_MISMATCH' } } });
  t.equal((await api.call(null, { url })).status, 401);
  for (const wrong of [
    'timeZone=Nowhere',
    'by=tariff',
    'limit=-1',
    'limit=1001',
    'from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z',
  ]) {
    const answer = await api.call(key, { url: `${url}?${wrong}` });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, wrong);
  }
});
