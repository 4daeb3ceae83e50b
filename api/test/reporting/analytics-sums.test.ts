import t, { type Test } from 'tap';
import { seedUser } from '#shared/testing/seed.ts';
import { makeNetworks, makeSessions, type TestNetwork } from '#api/test/support/analytics-data.ts';
import {
  addTo,
  chargingByDate,
  dateOf,
  endedWithin,
  kwh,
  minutesOf,
  type OracleSession,
  price,
  readSessions,
  round,
  sumByDate,
  sumOf,
} from '#api/test/support/analytics-oracle.ts';
import { type Answer, items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const day = 24 * 60 * 60_000;

const spring = { from: '2026-03-01T10:07:30.250Z', to: '2026-04-02T20:51:11.999Z' };

/** The rollup of a network in an answer: its buckets by date. */
function bucketsOf(answer: Answer, network: TestNetwork): Map<string, number> {
  const networks = items(answer.json['data']?.['networks']) as unknown as {
    networkId: string;
    rollup: { buckets: { date: string; value: number }[] };
  }[];
  const found = networks.find(({ networkId }) => networkId === network.uuid);
  return new Map(found?.rollup.buckets.map(({ date, value }) => [date, value]));
}

/** Asserts that an answer has these values at these dates, and 0 at all others. */
function sameSeries(t: Test, found: Map<string, number>, expected: Map<string, number>, what: string): void {
  const dates = [...found.keys()];
  t.strictSame(dates, dates.toSorted(), `${what}: in order`);
  t.strictSame(
    Object.fromEntries([...found].filter(([, value]) => value !== 0)),
    Object.fromEntries(
      [...expected]
        .map(([date, value]) => [date, round(value)] as const)
        .filter(([, value]) => value !== 0)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
    what,
  );
}

const found = (totalSessions: number) => ({ json: { data: { totalSessions } } });

const inKiritimati = ({ endedAt }: OracleSession) => dateOf(Number(endedAt), 'Pacific/Kiritimati', 'day');

/** A time series of the public API. */
function seriesOf(json: Json | undefined, field: string): Map<string, number> {
  return new Map(
    items(json?.['series']).map(
      (entry) => [entry['date'] as unknown as string, Number(entry[field])] as const,
    ),
  );
}

void t.test('matches the sums of single sessions', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const networks = await makeNetworks(sql);
  const driver = await seedUser(sql, networks[0]!.id);
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  await makeSessions(api.stores, networks, [null, driver.id, (await seedUser(sql, networks[0]!.id)).id]);
  const sessions = await readSessions(sql);
  const window = new URLSearchParams(spring).toString();
  const read = (metric: string, query = '') =>
    api.call(key, { url: `/cpms/v1/analytics/${metric}?${query}` });
  const counted = endedWithin(sessions, spring);
  t.ok(counted.length > 60, `${counted.length} sessions`);

  for (const period of ['day', 'week', 'month']) {
    for (const [metric, amount] of [
      ['energy', kwh],
      ['sessions', () => 1],
      ['revenue', price],
    ] as const) {
      const answer = await read(metric, `${window}&period=${period}`);
      t.match(
        answer.json,
        { success: true, data: { metric, period, ...spring, networkCount: 3 } },
        answer.text,
      );
      for (const network of networks) {
        const own = counted.filter(({ networkId }) => networkId === network.id);
        const dated = ({ endedAt }: OracleSession) => dateOf(Number(endedAt), network.timeZone, period);
        sameSeries(
          t,
          bucketsOf(answer, network),
          sumByDate(own, dated, amount),
          `${metric} by ${period} in ${network.timeZone}`,
        );
      }
    }
  }

  const byCurrency = (currency: string) =>
    counted.filter(({ networkId }) => networks.find(({ id }) => id === networkId)?.currency === currency);
  const totals = ['EUR', 'USD'].map((currency) => ({
    currency,
    totalRevenue: sumOf(byCurrency(currency), price),
    sessions: byCurrency(currency).filter(({ costMinor }) => costMinor !== null).length,
  }));
  const unpricedSessions = counted.filter(({ costMinor }) => costMinor === null).length;
  const kpis = {
    metric: 'kpis',
    ...spring,
    totalSessions: counted.length,
    totalEnergyKwh: sumOf(counted, kwh),
    totalRevenue: totals[0]?.totalRevenue,
    currency: 'EUR',
    totals,
    unpricedSessions,
    avgDurationMinutes: Math.round((minutesOf(counted) / counted.length) * 10) / 10,
    networkCount: 3,
  };
  t.match((await read('kpis', window)).json['data'], kpis);
  t.match((await read('revenue', window)).json['data'], {
    totalRevenue: totals[0]?.totalRevenue,
    currency: 'EUR',
    totals,
  });
  t.match((await read('energy', window)).json['data'], { totalEnergyKwh: kpis.totalEnergyKwh });
  t.match((await read('sessions', window)).json['data'], { totalSessions: kpis.totalSessions });
  const [first] = networks;
  const ofFirst = counted.filter(({ networkId }) => networkId === first!.id);
  t.match((await read('revenue', `${window}&networkId=${first!.uuid}`)).json['data'], {
    totalRevenue: sumOf(ofFirst, price),
    currency: 'EUR',
    networkCount: 1,
    networks: [
      {
        networkId: first!.uuid,
        rollup: { timeZone: 'Europe/Amsterdam', currency: 'EUR', otherCurrencies: [] },
      },
    ],
  });

  await t.test('includes both ends of the window, to the millisecond', async (t) => {
    const only = `networkId=${first!.uuid}`;
    const { endedAt } = ofFirst[0]!;
    const at = endedAt!.toISOString();
    const next = new Date(endedAt!.getTime() + 1).toISOString();
    const same = ofFirst.filter((session) => Number(session.endedAt) === Number(endedAt)).length;
    t.match(await read('sessions', `from=${at}&to=${at}&${only}`), found(same));
    t.match(await read('sessions', `from=${next}&to=${next}&${only}`), found(0));
  });

  await t.test('sums windows requested at once separately', async (t) => {
    const ends = ofFirst.map(({ endedAt }) => Number(endedAt)).toSorted((a, b) => a - b);
    // The instants of sessions' ends and just alongside them: several in one quarter of an hour, some on its edges.
    const instants = ends.flatMap((end) => [end - 1, end, end + 1, Math.ceil(end / 900_000) * 900_000]);
    const windowAt = (n: number) => {
      const [from, to] = [instants[(n * 37) % instants.length]!, instants[(n * 101 + 7) % instants.length]!];
      const [first, last] = from < to ? [from, to] : [to, from];
      return { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
    };
    const twoWeeksAndMonths = { from: '2026-03-27T00:00:00.000Z', to: '2026-04-02T12:00:00.000Z' };
    const windows = [twoWeeksAndMonths, ...Array.from({ length: 40 }, (_, n) => windowAt(n))].flatMap(
      (window) => ['day', 'week', 'month'].map((period) => ({ ...window, period })),
    );
    const answers = await Promise.all(
      windows.map((query) =>
        read('energy', `${new URLSearchParams(query).toString()}&networkId=${first!.uuid}`),
      ),
    );
    for (const [n, query] of windows.entries()) {
      const own = endedWithin(ofFirst, query);
      const dated = ({ endedAt }: OracleSession) => dateOf(Number(endedAt), 'Europe/Amsterdam', query.period);
      const answer = answers[n]!;
      t.match(answer.json['data'], { totalEnergyKwh: sumOf(own, kwh) }, `${query.from} to ${query.to}`);
      sameSeries(t, bucketsOf(answer, first!), sumByDate(own, dated, kwh), `by ${query.period}`);
    }
  });

  await t.test('moves sessions to other days after a time zone change, without loss', async (t) => {
    await sql`update networks set time_zone = 'Pacific/Kiritimati' where id = ${first!.id}`;
    const answer = await read('energy', `${window}&networkId=${first!.uuid}`);
    sameSeries(t, bucketsOf(answer, first!), sumByDate(ofFirst, inKiritimati, kwh), 'in the new zone');
    t.match(answer.json['data'], { totalEnergyKwh: sumOf(ofFirst, kwh) });
    await sql`update networks set time_zone = 'Europe/Amsterdam' where id = ${first!.id}`;
  });

  await t.test('utilization, running sessions and overlaps included', async (t) => {
    // A whole second: until then what runs is counted.
    const now = Math.floor(Date.now() / 1000) * 1000;
    const recent = { from: new Date(now - 12 * day).toISOString(), to: new Date(now).toISOString() };
    for (const window of [spring, recent]) {
      const query = new URLSearchParams(window).toString();
      const interval = { from: Date.parse(window.from), to: Date.parse(window.to) };
      const answer = await read('utilization', `${query}&period=week`);
      t.equal(answer.status, 200, answer.text);
      let [charged, there] = [0, 0];
      for (const network of networks) {
        const date = (time: number) => dateOf(time, network.timeZone, 'week');
        const lives = await sql<{ connectorId: number; startedAt: Date; endedAt: Date }[]>`
          select k.id as "connectorId", coalesce(k.deleted_at, now() + interval '1 day') as "endedAt",
            least(k.created_at, (
              select started_at from sessions where connector_id = k.id and status = 'COMPLETED'
              order by ended_at limit 1)) as "startedAt"
          from connectors k join chargers c on c.id = k.charger_id where c.network_id = ${network.id}`;
        const existing = new Map<string, number>();
        const charging = new Map<string, number>();
        for (const { connectorId, ...life } of lives) {
          const own = sessions.filter((session) => session.connectorId === connectorId);
          const alive = { ...own[0]!, ...life, idle: [] };
          addTo(existing, chargingByDate([alive], interval, date));
          addTo(charging, chargingByDate(own, interval, date));
        }
        const expected = new Map(
          [...existing].map(([at, ms]) => [at, Math.min(100, (100 * (charging.get(at) ?? 0)) / ms)]),
        );
        sameSeries(t, bucketsOf(answer, network), expected, `${network.timeZone} from ${window.from}`);
        charged += [...charging.values()].reduce((total, ms) => total + ms, 0);
        there += [...existing.values()].reduce((total, ms) => total + ms, 0);
      }
      t.equal(answer.json['data']?.['averageUtilization'], round((100 * charged) / there));
      t.ok(charged > 0);
    }
    const ahead = `from=${new Date(Date.now() + day).toISOString()}&to=${new Date(Date.now() + 2 * day).toISOString()}`;
    t.match(
      (await read('utilization', ahead)).json['data'],
      { averageUtilization: 0 },
      'time to come does not count',
    );
  });

  await t.test('the public API sums the sessions of a driver, and of an operator', async (t) => {
    const operator = await mintKey(api, { apiFamily: 'emsp', networkIds: [first!.id] });
    const own = await mintKey(api, {
      apiFamily: 'emsp',
      unrestricted: true,
      networkIds: [],
      userId: driver.id,
    });
    const ofDriver = counted.filter(({ userId }) => userId === driver.id);
    t.ok(ofDriver.length > 10 && ofDriver.length < counted.length);
    for (const [key, some] of [
      [operator, ofFirst],
      [own, ofDriver],
    ] as const) {
      const ask = async (metric: string) => {
        const answer = await api.call(key, { url: `/emsp/v1/analytics/${metric}?${window}&period=month` });
        t.equal(answer.status, 200, answer.text);
        return answer.json;
      };
      const zoneOf = (id: number) => networks.find((network) => network.id === id)!.timeZone;
      const dated = ({ endedAt, networkId }: OracleSession) =>
        dateOf(Number(endedAt), zoneOf(networkId), 'month');
      const counts = await ask('sessions');
      t.match(counts, {
        period: 'month',
        ...spring,
        totalSessions: some.length,
        averageDurationMinutes: Math.round((minutesOf(some) / some.length) * 10) / 10,
        averageEnergyKwh: round(some.reduce((total, session) => total + kwh(session), 0) / some.length),
      });
      sameSeries(
        t,
        seriesOf(counts, 'sessions'),
        sumByDate(some, dated, () => 1),
        'sessions',
      );
      const energy = await ask('energy');
      t.match(energy, { totalEnergyKwh: sumOf(some, kwh), totalSessions: some.length });
      sameSeries(t, seriesOf(energy, 'energyKwh'), sumByDate(some, dated, kwh), 'energy');
      const revenue = await ask('revenue');
      const inEuro = some.filter(
        ({ networkId }) => networks.find(({ id }) => id === networkId)?.currency === 'EUR',
      );
      const priced = inEuro.filter(({ costMinor }) => costMinor !== null);
      const [euros] = items(revenue['currencies']);
      t.match(euros, {
        currency: 'EUR',
        totalRevenue: sumOf(inEuro, price),
        sessions: priced.length,
        averageRevenue: round(sumOf(inEuro, price) / priced.length),
      });
      t.equal(revenue['unpricedSessions'], some.filter(({ costMinor }) => costMinor === null).length);
      sameSeries(t, seriesOf(euros, 'revenue'), sumByDate(inEuro, dated, price), 'revenue');
    }
  });
});
