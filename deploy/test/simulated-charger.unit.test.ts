import t from 'tap';
import type { Test } from 'tap';
import { CentralSystem, rpcError } from '#shared/simulator/test/support/central-system.ts';
import { simulateAt } from '#deploy/start/simulated-charger.ts';

/** Starts a simulated charger on a central system of its own, with a session that runs. */
async function simulate(t: Test, leaveMs = 10_000) {
  const central = await CentralSystem.listen();
  t.teardown(() => central.close());
  const lost = Promise.withResolvers<void>();
  const charger = {
    uid: 'CP-1',
    password: 'secret',
    ocppVersion: '1.6',
    connectors: 1,
    maxPowerW: 11_000,
  } as const;
  const ready = central.next('StatusNotification', ({ connectorId }) => connectorId === 1);
  const simulation = await simulateAt(central.url, { leaveMs })(charger, lost.resolve);
  await ready;
  const charging = central.next('StatusNotification', ({ status }) => status === 'Charging');
  t.match(await central.call('RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' }), {
    status: 'Accepted',
  });
  await charging;
  return { central, simulation, lost: lost.promise };
}

void t.test('ends its session when it is stopped', async (t) => {
  const { central, simulation } = await simulate(t);
  await simulation.stop();
  t.equal(central.all('StopTransaction').length, 1);
});

void t.test('leaves within its deadline when the back end refuses the end of the session', async (t) => {
  const { central, simulation } = await simulate(t, 200);
  central.respond = ({ method }) => {
    if (method === 'StopTransaction') throw rpcError('InternalError', 'no');
    return undefined;
  };
  await t.rejects(simulation.stop(), { name: 'DeadlinePassed' });
  await t.rejects(async () => central.call('ClearCache', {}), 'its connection is closed');
});

void t.test('ends when its connection is closed by the other side', async (t) => {
  const { central, simulation, lost } = await simulate(t, 200);
  await central.peer?.close({ code: 1000 });
  await lost;
  await simulation.stop().catch(() => undefined);
  // oxlint-disable-next-line time/no-sleep -- nothing announces that a station does not reconnect after its first delay
  await new Promise((resolve) => setTimeout(resolve, 1200));
  t.equal(central.connections, 1);
});

void t.test('comes back when it is reset', async (t) => {
  const { central, simulation } = await simulate(t);
  const booted = central.next('BootNotification');
  await central.call('Reset', { type: 'Hard' });
  await booted;
  t.equal(central.connections, 2);
  await simulation.stop();
});
