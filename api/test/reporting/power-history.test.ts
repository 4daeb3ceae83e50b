import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { slotMs } from '#shared/domain/kernel/calendar.ts';

const url = '/cpms/v1/analytics/power';

void t.test(
  'spreads the energy of ended and running sessions over the time in which they charged',
  async (t) => {
    const api = await startTestApi(t);
    const { sql, clickhouse } = api.stores;
    const key = await mintKey(api);
    const [first, second, third] = await addConnectors(sql, { id: api.network.id, currency: 'EUR' }, 3);
    const read = async (by: string) => items((await api.call(by, { url })).json['data']?.['quarters']);
    /** Starts of quarters, counted back from the present one. */
    const begin = Math.floor(Date.now() / slotMs) * slotMs;
    const quarter = (ago: number) => new Date(begin - ago * slotMs);
    // An hour with 8 kWh, half of it idle; one from before the window, 3 of 4 kWh in it; one in review.
    const idle = await addRunning(sql, first!, quarter(8));
    const idlePeriod = { from: quarter(6), to: quarter(4) };
    await endSession(sql, idle, { endedAt: quarter(4), energyWh: 8000, costMinor: 1, idle: [idlePeriod] });
    const old = await addRunning(sql, first!, quarter(98));
    await endSession(sql, old, { endedAt: quarter(90), energyWh: 8000, costMinor: 1 });
    const held = await addRunning(sql, second!, quarter(8));
    await endSession(sql, held, { endedAt: quarter(4), energyWh: 90_000, costMinor: 1 });
    await sql`update sessions set price_state = 'REVIEW' where id = ${held}`;
    // One that runs, with readings until a quarter ago.
    const running = await addRunning(sql, third!, quarter(3));
    await sql`update sessions set energy_wh = 6000, live_at = ${quarter(1)} where id = ${running}`;
    while ((await sendSessionFacts(sql, clickhouse, 1000)) > 0);
    const quarters = await read(key);
    t.equal(quarters.length, 96);
    const powers = new Map(quarters.map(({ from, powerKw }) => [from as unknown, powerKw]));
    const at = (ago: number) => powers.get(quarter(ago).toISOString());
    t.same([8, 7, 6, 5].map(at), [16, 16, 0, 0], 'ended');
    t.same([94, 91, 90].map(at), [4, 4, 0], 'begun before the window');
    t.same([3, 2].map(at), [12, 12], 'running');
    const foreign = await read(await mintKey(api, { networkIds: [api.otherNetwork.id] }));
    t.ok(foreign.every(({ powerKw }) => Number(powerKw) === 0));
    const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
    t.match(await api.call(scopeless, { url }), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, { url })).status, 401);
    const wrong = await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` });
    t.match(wrong, { status: 404, json: { error: { code: 'NETWORK_NOT_FOUND' } } });
  },
);
