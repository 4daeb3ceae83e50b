import { randomUUID } from 'node:crypto';
import t from 'tap';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { runPeriodically } from '#api/jobs/periodic.ts';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import { createLogger } from '#shared/log/log.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';
import { answerStart } from '#api/test/support/charging-drivers.ts';
import {
  accepted,
  holdCharger,
  items,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { addTariff, startSession } from '#api/test/support/records.ts';

const refused: CommandReply = {
  ok: true,
  ocppVersion: '1.6',
  action: 'RemoteStopTransaction',
  result: { accepted: false, status: 'Rejected', payload: {}, transactionId: null },
};
const log = createLogger('test', 'silent');
const minutes = (count: number) => new Date(Date.now() - count * 60_000);

async function scene(api: TestApi) {
  const operator = await mintKey(api);
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  const { id } = await register(api, operator, { serial: 'CP-1' });
  const { sql } = api.stores;
  const deps = { ...api.deps, log };
  const change = (uuid: string, payload: object, key: string | null = operator) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/sessions/${uuid}/limits`, payload });
  return {
    change,
    limit: async (uuid: string, limits: object) => {
      const { status, text } = await change(uuid, limits);
      if (status !== 200) throw new Error(text);
    },
    /** Asks for the stop of what passed its limit. */
    watch: (waits?: { firstSeconds: number; longestSeconds: number }) => stopSessionsOverLimit(deps, waits),
    start: (startedAt?: Date, connector = 1) =>
      startSession(sql, { chargerUuid: id, connector, ...(startedAt !== undefined && { startedAt }) }),
    shown: async (uuid: string) => (await api.call(emsp, { url: `/emsp/v1/charging/sessions/${uuid}` })).json,
    listed: async () => items((await api.call(emsp, { url: '/emsp/v1/charging/sessions' })).json['data']),
    remoteStart: (payload: object) =>
      api.call(operator, { method: 'POST', url: `/cpms/v1/chargers/${id}/remote-start`, payload }),
  };
}

const stopOf = ({ transactionId }: { transactionId: string }) => ({
  command: { type: 'remote-stop', transactionId },
});

void t.test('stops sessions at each of their limits, and no others', async (t) => {
  const api = await startTestApi(t);
  await addTariff(api.stores.sql, api.network.id);
  const { watch, start, shown, limit } = await scene(api);
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const [energy, time, cost, free] = await Promise.all(
    [1, 2, 3, 4].map((connector) => start(minutes(30), connector)),
  );
  if (!energy || !time || !cost || !free) throw new Error('no sessions');
  await limit(energy.uuid, { maxEnergyKwh: 5 });
  await limit(time.uuid, { maxDurationMinutes: 31 });
  // 1.50 for the session and 0.40 per kWh, 21 % VAT: 5 kWh are 4.24.
  await limit(cost.uuid, { maxCost: 4.25 });
  const charged = (uuid: string, wh: number) =>
    api.stores.sql`update sessions set energy_wh = ${wh} where uuid = ${uuid}`;
  for (const { uuid } of [energy, time, cost, free]) await charged(uuid, uuid === energy.uuid ? 4999 : 5000);
  await watch();
  t.strictSame(taken, [], 'none is over its limit yet');

  await charged(energy.uuid, 5000);
  await watch();
  t.match(taken, [stopOf(energy)]);
  t.match(await shown(energy.uuid), {
    status: 'STOPPING',
    limits: { maxEnergyKwh: 5, maxDurationMinutes: null, maxCost: null, passed: 'MaxEnergy' },
  });
  await api.stores
    .sql`update sessions set started_at = started_at - interval '1 minute' where uuid = ${time.uuid}`;
  await watch();
  t.match(taken.slice(1), [stopOf(time)]);
  t.match((await shown(time.uuid))['limits'], { maxDurationMinutes: 31, passed: 'MaxDuration' });
  await charged(cost.uuid, 5100);
  await watch();
  t.match(taken.slice(2), [stopOf(cost)]);
  t.match((await shown(cost.uuid))['limits'], { maxCost: 4.25, passed: 'MaxCost' });
  t.match(await shown(free.uuid), { status: 'ACTIVE', limits: { passed: null } });
});

void t.test('idle time counts towards the highest cost', async (t) => {
  const api = await startTestApi(t);
  await addTariff(api.stores.sql, api.network.id);
  await api.stores.sql`
    update tariffs set idle = ${api.stores.sql.json({ price_per_minute: '1.00', grace_minutes: 5 })}`;
  const { watch, start, shown, limit } = await scene(api);
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const session = await start(minutes(60));
  await limit(session.uuid, { maxCost: 10 });
  const idleSince = (since: Date) => api.stores.sql`
    update sessions set idle_started_at = ${since}, idle_cause = 'SuspendedEV', charging_ended_at = ${since},
      peak_power_w = 7400`;
  await idleSince(minutes(8));
  await watch();
  t.strictSame(taken, []);
  const since = minutes(20);
  await idleSince(since);
  await watch();
  t.match(taken, [stopOf(session)]);
  const detail = await shown(session.uuid);
  t.match(detail, {
    isIdle: true,
    idleStartedAt: since.toISOString(),
    chargingEndedAt: since.toISOString(),
    gracePeriodEndsAt: new Date(since.getTime() + 5 * 60_000).toISOString(),
    peakPowerKw: 7.4,
    currentPowerKw: null,
  });
  const idleFee = Number(detail['cost']?.['idleFee']);
  t.ok(idleFee >= 15 && idleFee < 16, `a quarter of an hour so far, not ${idleFee}`);
  t.match(items(detail['cost']?.['lines']).at(-1), { type: 'IDLE', unit: 'min', unitPrice: 1 });
  const idleSeconds = Number(detail['idleSeconds']);
  t.ok(idleSeconds >= 1200 && idleSeconds < 1260);
});

void t.test('repeats a stop with back-off until it arrives', async (t) => {
  const api = await startTestApi(t);
  const { watch, start, shown, limit } = await scene(api);
  const session = await start(minutes(30));
  await limit(session.uuid, { maxDurationMinutes: 10 });
  await watch();
  t.match(
    await shown(session.uuid),
    { status: 'ACTIVE', limits: { passed: 'MaxDuration' } },
    'it is offline',
  );
  const replies = [refused, accepted, accepted];
  const taken = await holdCharger(api, 'CP-1', () => replies.shift() ?? accepted);
  await watch();
  t.strictSame(taken, [], 'not before its time');
  const waits = async () => {
    const [row] = await api.stores.sql<{ seconds: number; attempts: number }[]>`
      select extract(epoch from stop_next_at - updated_at)::integer as seconds, stop_attempts as attempts
      from sessions where uuid = ${session.uuid}`;
    return row;
  };
  const due = () => api.stores.sql`update sessions set stop_next_at = now()`;
  t.match(await waits(), { seconds: 15, attempts: 1 });
  await due();
  await watch();
  t.equal(taken.length, 1);
  t.match(await waits(), { seconds: 30, attempts: 2 }, 'it refused');
  await due();
  await watch();
  t.match(await shown(session.uuid), { status: 'STOPPING' });
  await due();
  await watch();
  t.equal(taken.length, 3, 'it accepted and did not stop');
  t.match(
    await api.stores.sql`select user_id, user_name, action, resource_name, details from audit_log
      where category = 'command' order by id`,
    [
      {
        user_id: null,
        user_name: 'session watchdog',
        action: 'remote-stop',
        resource_name: 'CP-1',
        details: { accepted: false },
      },
      { details: { accepted: true } },
      { details: { accepted: true } },
    ],
    'each time that it was asked is audited, but not while it was offline',
  );
  await api.stores.sql`update sessions set stop_next_at = now(), stop_attempts = 1000000`;
  await watch();
  t.match(await waits(), { seconds: 600 });
});

void t.test('sends one stop from several watchdogs', async (t) => {
  const api = await startTestApi(t);
  const { watch, start, limit } = await scene(api);
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const sessions = await Promise.all([1, 2, 3].map((connector) => start(minutes(30), connector)));
  for (const { uuid } of sessions) {
    await limit(uuid, { maxDurationMinutes: 10 });
  }
  await Promise.all([watch(), watch(), watch(), watch()]);
  t.equal(taken.length, 3, 'each session once');
});

void t.test('changes the limits of a running session only', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { start, limit, change, shown, watch } = await scene(api);
  const session = await start(minutes(30));
  await limit(session.uuid, { maxDurationMinutes: 10, maxCost: 4.255 });
  await watch();
  t.match((await shown(session.uuid))['limits'], {
    maxDurationMinutes: 10,
    maxCost: 4.25,
    passed: 'MaxDuration',
  });
  t.match(await change(session.uuid, { maxDurationMinutes: null, maxEnergyKwh: 20 }), {
    status: 200,
    json: {
      data: {
        id: session.uuid,
        status: 'ACTIVE',
        limits: { maxEnergyKwh: 20, maxDurationMinutes: null, maxCost: 4.25, passed: null },
      },
    },
  });
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  await watch();
  t.strictSame(taken, [], 'it goes on');
  t.match(
    await sql`select resource_id, details from audit_log where action = 'change-limits' order by id desc limit 1`,
    [
      {
        resource_id: session.uuid,
        details: {
          before: { maxEnergyKwh: null, maxDurationMinutes: 10 },
          after: { maxEnergyKwh: 20, maxDurationMinutes: null },
        },
      },
    ],
  );

  const none = { status: 404, json: { error: { code: 'SESSION_NOT_FOUND' } } };
  const others = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await change(session.uuid, { maxCost: 1 }, others), none);
  t.match(await change(randomUUID(), { maxCost: 1 }), none);
  const reader = await mintKey(api, { scopes: ['cpms:read'] });
  t.match(await change(session.uuid, { maxCost: 1 }, reader), { status: 403 });
  t.match(await change(session.uuid, { maxCost: 1 }, null), { status: 401 });
  for (const wrong of [{}, { maxCost: 0 }, { maxPower: 3 }]) {
    t.match(await change(session.uuid, wrong), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
  t.match((await shown(session.uuid))['limits'], { maxCost: 4.25 });

  await sql`update sessions set started_at = now() - interval '2 days', start_received_at = now() - interval '2 days'`;
  await closeAbandonedSessions(sql);
  const ended = { status: 409, json: { error: { code: 'NO_ACTIVE_SESSION' } } };
  t.match(await change(session.uuid, { maxCost: 1 }), ended);
});

void t.test('gives the limits of a remote start to one session', async (t) => {
  const api = await startTestApi(t);
  const { remoteStart, start, shown, listed } = await scene(api);
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const asked = { idTag: 'tag-1', maxEnergyKwh: 12.5, maxDurationMinutes: 90, maxCost: 20.55 };
  t.equal((await remoteStart(asked)).status, 200);
  const session = await start(minutes(0));
  await answerStart(api, session, taken[0]);
  const limits = { maxEnergyKwh: 12.5, maxDurationMinutes: 90, maxCost: 20.55, passed: null };
  t.strictSame((await shown(session.uuid))['limits'], limits);
  t.strictSame((await listed())[0]?.['limits'], limits);
  const next = await start(minutes(0), 2);
  await answerStart(api, next, taken[0]);
  t.match((await shown(next.uuid))['limits'], { maxEnergyKwh: null, maxCost: null });
});

void t.test('rejects invalid limits', async (t) => {
  const api = await startTestApi(t);
  const { remoteStart } = await scene(api);
  for (const limit of [
    { maxEnergyKwh: 0 },
    { maxDurationMinutes: -1 },
    { maxCost: 'a lot' },
    { maxCost: 0 },
  ]) {
    t.match(await remoteStart(limit), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  }
});

void t.test('a job that fails is run again, and never twice at once', async (t) => {
  let runs = 0;
  let running = 0;
  let most = 0;
  const everyMs = 1000;
  const clock = new VirtualClock();
  const job = runPeriodically(
    { clock, log },
    {
      name: 'test',
      every: everyMs,
      async run() {
        runs += 1;
        running += 1;
        most = Math.max(most, running);
        const end = clock.steady() + 4 * everyMs;
        await until('times of further runs', () => clock.steady() >= end);
        running -= 1;
        if (runs === 1) throw new Error('unreachable');
      },
    },
  );
  await until('three runs', () => {
    clock.advance(everyMs);
    return runs >= 3;
  });
  const stopped = job.stop();
  clock.advance(4 * everyMs);
  await stopped;
  t.equal(running, 0, 'the run that was under way has ended');
  t.equal(most, 1);
});
