import { callRateOf } from '#gateway/socket/call-rate.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { Registry } from '#gateway/connections/registry.ts';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { Connection } from '#gateway/socket/connection.ts';
import { RequestClock } from '#gateway/socket/request-clock.ts';
import { createLocalBus } from '#shared/bus/local.ts';
import { createLogger } from '#shared/log/log.ts';

const noFrameLog = { exchange: () => undefined, unanswered: () => undefined, answerOnly: () => undefined };

/** A shard's registry on a bus that it shares with others. */
async function openShard(t: Test, name: string, hub: boolean) {
  const bus = await createLocalBus({ name, hub });
  t.teardown(() => bus.close());
  return { bus, registry: await Registry.open(bus, createLogger('test', 'silent')) };
}

/**
 * Opens a socket of a charger that was requested at `requestedAt`; `closed` receives the reason of its end.
 */
function connect(requestedAt: number) {
  const closed = Promise.withResolvers<string>();
  const socket = { send: () => true, close: (_: number, reason: string) => closed.resolve(reason) };
  const reply = { text: '', outcome: 'result', commit: null } as const;
  const server = {
    serveCall: () => reply,
    refuse: () => reply,
    answered: () => undefined,
    hasSend: false,
    refuseResult: () => null,
    resultRefused: () => undefined,
    slowed: () => undefined,
    refuseBroken: () => '',
  };
  const connection = new Connection(randomUUID(), socket, server, noFrameLog, callRateOf(100));
  const charger = { id: 1, uuid: randomUUID(), uid: 'CP-1', networkId: 1, registration: 'Accepted' as const };
  const claim = { key: charger.uid, connectionId: connection.id, claimedAt: requestedAt };
  const localTime = new LocalTime();
  return { entry: { ...claim, charger, connection, protocol: ocpp16, localTime }, closed: closed.promise };
}

void t.test('keeps the socket of the latest upgrade, whichever is admitted first', async (t) => {
  const name = randomUUID();
  const [one, other] = [await openShard(t, name, true), await openShard(t, name, false)];
  const now = Date.now();

  await t.test('on one shard', async (t) => {
    const [older, newer] = [connect(now - 5), connect(now)];
    one.registry.add(newer.entry);
    one.registry.add(older.entry);
    t.equal(await older.closed, 'replaced by a newer socket');
    t.ok(one.registry.wasReplaced(older.entry.connection));
    t.equal(one.registry.get('CP-1')?.connection, newer.entry.connection);
    one.registry.remove('CP-1', older.entry.connection);
    t.equal((await one.bus.presence.lookup('CP-1'))?.connectionId, newer.entry.connection.id);
  });

  await t.test('within a millisecond', async (t) => {
    const clock = new RequestClock();
    const [older, newer] = [connect(clock.next(now)), connect(clock.next(now))];
    one.registry.add(newer.entry);
    one.registry.add(older.entry);
    t.equal(await older.closed, 'replaced by a newer socket');
    t.equal((await one.bus.presence.lookup('CP-1'))?.connectionId, newer.entry.connection.id);
  });

  await t.test('on two shards', async (t) => {
    const [older, newer] = [connect(now + 1), connect(now + 2)];
    other.registry.add(newer.entry);
    await other.bus.presence.lookup('CP-1');
    one.registry.add(older.entry);
    t.equal(await older.closed, 'replaced by a newer socket');
    t.equal((await one.bus.presence.lookup('CP-1'))?.connectionId, newer.entry.connection.id);
  });
});

void t.test('leaves no claim of a socket that closes in the turn in which it opened', async (t) => {
  const { bus, registry } = await openShard(t, randomUUID(), true);
  const { entry } = connect(Date.now());
  registry.add(entry);
  registry.remove('CP-1', entry.connection);
  await bus.ping();
  t.equal(await bus.presence.lookup('CP-1'), null);
});
