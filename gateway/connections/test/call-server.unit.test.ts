import t from 'tap';
import { CallServer } from '#gateway/connections/call-server.ts';
import type { ChargerLookup } from '#gateway/connections/charger-lookup.ts';
import type { Stores } from '#gateway/handlers/context.ts';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { createLogger } from '#shared/log/log.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { OutageLog } from '#shared/log/outage-log.ts';

const log = createLogger('test', 'silent');

const idle = { running: [], localOffsetMinutes: 0 };

/** Creates the server of a charger that sends Heartbeats, which need no stores. */
function createServer(
  lookup: Pick<ChargerLookup, 'state'>,
  {
    readOverrides = async () => [],
    deadlineMs,
    now = () => Date.now(),
  }: { readOverrides?: Stores['meterOverrides']['read']; deadlineMs?: number; now?: () => number },
) {
  const outcomes: string[] = [];
  const server = new CallServer(
    {
      charger: { id: 1, uuid: '', uid: 'CP-1', networkId: 1, registration: 'Accepted' },
      protocol: ocpp16,
      localTime: new LocalTime(),
    },
    {
      stores: {
        meterOverrides: { known: () => undefined, read: readOverrides, forget: () => undefined },
      } as Partial<Stores> as Stores,
      lookup: { credentials: () => Promise.resolve(null), ...lookup },
      log,
      clock: { ...systemClock, now },
      callOutages: new OutageLog(log, { failed: 'calls fail' }),
      observe: (_version, _action, outcome) => outcomes.push(outcome),
      traces: null,
    },
    deadlineMs,
  );
  const heartbeat = async (id: string) => {
    const call = { kind: 'call', id, action: 'Heartbeat', payload: {} } as const;
    const reply = await server.serveCall(call);
    server.answered(call, reply, 1);
    return JSON.parse(reply.text) as unknown;
  };
  return { heartbeat, outcomes };
}

void t.test('answers a call that misses its deadline with InternalError and serves the next', async (t) => {
  const states = [new Promise<never>(() => undefined), Promise.resolve(idle)];
  const { heartbeat, outcomes } = createServer(
    { state: () => states.shift() ?? Promise.resolve(idle) },
    { deadlineMs: 20 },
  );
  t.match(await heartbeat('1'), [4, '1', 'InternalError', /try again later/, {}]);
  t.match(await heartbeat('2'), [3, '2', { currentTime: String }]);
  t.same(outcomes, ['internal', 'result']);
});

// A rejection without a handler ends the shard, and with it the sockets of all its chargers.
void t.test('handles every failed read of a call', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.prependListener('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  let isDown = true;
  const read = <Value>(value: Value) =>
    isDown ? Promise.reject(new Error('PostgreSQL is down')) : Promise.resolve(value);
  const { heartbeat, outcomes } = createServer(
    { state: () => read(idle) },
    { readOverrides: () => read([]) },
  );
  t.match(await heartbeat('sessions'), [4, 'sessions', 'InternalError', String, {}]);
  isDown = false;
  t.match(await heartbeat('both'), [3, 'both', { currentTime: String }]);
  isDown = true;
  t.match(await heartbeat('overrides'), [4, 'overrides', 'InternalError', String, {}]);
  // Unhandled rejections are reported when the microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  t.same(outcomes, ['internal', 'result', 'internal']);
  t.same(unhandled, []);
});

void t.test('answers with the time of the installation, not of the machine', async (t) => {
  const time = Date.parse('2026-05-04T12:00:00.000Z');
  const { heartbeat } = createServer({ state: () => Promise.resolve(idle) }, { now: () => time });
  t.match(await heartbeat('1'), [3, '1', { currentTime: '2026-05-04T12:00:00.000Z' }]);
});
