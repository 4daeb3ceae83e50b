import { randomUUID } from 'node:crypto';
import t from 'tap';
import { NoResponderError } from '#shared/bus/contract.ts';
import { createLocalBus } from '#shared/bus/local.ts';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import { eventually, localRig, presenceTtlMs } from './support/rigs.ts';

void t.test('restores the claims of a member whose thread was blocked past its time to live', async (t) => {
  const rig = await localRig(presenceTtlMs);
  const bus = await rig.open('watcher');
  const foreign = await rig.openForeign('foreign');
  bus.request('foreign-block', null, { timeoutMs: 30_000 }).catch(() => undefined);
  const lookup = () => bus.presence.lookup('foreign-key');
  await eventually(async () => ((await lookup()) === null ? true : undefined));
  await t.rejects(bus.request('foreign-echo', 1, { timeoutMs: 10_000 }), NoResponderError);
  rig.wakeForeign();
  const back = await eventually(async () => (await lookup()) ?? undefined);
  t.strictSame(back, { key: 'foreign-key', node: 'foreign', connectionId: 'foreign-connection' });
  const echo = () => bus.request('foreign-echo', 'awake', { timeoutMs: 1000 });
  t.equal(await eventually(echo), 'awake', 'and it answers again');
  await foreign.kill();
  await bus.close();
  await rig.close();
});

void t.test('refuses to join without a hub in bounded time', async (t) => {
  await t.rejects(createLocalBus({ name: randomUUID() }), BusUnavailableError);
});

void t.test('lets a member join before its hub', async (t) => {
  const name = randomUUID();
  const joining = createLocalBus({ name, node: 'early' });
  const hub = await createLocalBus({ name, node: 'hub', hub: true });
  const early = await joining;
  await early.presence.claim('CP-1', 'one');
  t.equal((await hub.presence.lookup('CP-1'))?.node, 'early');
  await early.close();
  await hub.close();
});

void t.test('fails requests of a member without a hub and recovers with a new hub', async (t) => {
  const name = randomUUID();
  const hub = await createLocalBus({ name, hub: true });
  const member = await createLocalBus({ name, node: 'member' });
  await member.respond('echo', async (message) => message);
  await member.presence.claim('CP-1', 'one');
  await hub.close();
  const failure = await eventually(() => member.publish('x', 1).then(() => undefined, Object));
  t.ok(failure instanceof BusUnavailableError);
  const next = await createLocalBus({ name, hub: true });
  const echo = () => next.request('echo', 'hello', { timeoutMs: 1000 });
  t.equal(await eventually(echo), 'hello');
  const found = await eventually(async () => (await next.presence.lookup('CP-1')) ?? undefined);
  t.equal(found.node, 'member');
  await member.close();
  await next.close();
});

void t.test('separates buses of different names in one process', async (t) => {
  const one = await createLocalBus({ name: randomUUID(), hub: true });
  const other = await createLocalBus({ name: randomUUID(), hub: true });
  await one.respond('echo', async (message) => message);
  await one.presence.claim('CP-1', 'one');
  await t.rejects(other.request('echo', 1, { timeoutMs: 5000 }), NoResponderError);
  t.equal(await other.presence.lookup('CP-1'), null);
  await one.close();
  await other.close();
});
