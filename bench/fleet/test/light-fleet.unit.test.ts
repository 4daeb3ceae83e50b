import t from 'tap';
import { LightFleet } from '#bench/fleet/light-fleet.ts';
import { CentralSystem } from '#shared/simulator/test/support/central-system.ts';

/** Opens a fleet of one light station, and the central system that it connects to. */
async function open(
  test: { teardown(handler: () => unknown): unknown },
  protocol: 'ocpp1.6' | 'ocpp2.0.1',
  boots: boolean,
) {
  const central = await CentralSystem.listen();
  const password = 'password-of-a-station';
  const address = { ocppUrl: central.url, localAddress: '127.0.0.1' };
  const fleet = new LightFleet([
    { ...address, uid: 'LIGHT-1', password, protocol, boots, offersCompression: false },
  ]);
  test.teardown(() => {
    fleet.close();
    return central.close();
  });
  return { central, fleet };
}

for (const protocol of ['ocpp1.6', 'ocpp2.0.1'] as const) {
  void t.test(`${protocol}: boots and reports a status, again after it was cut off`, async (t) => {
    const { central, fleet } = await open(t, protocol, true);
    const [first] = await fleet.connect();
    t.ok(first && first.bootedAt >= first.upgradedAt && first.reportedAt >= first.bootedAt);
    const calls = ['BootNotification', 'StatusNotification'];
    t.strictSame(
      central.received.map(({ method }) => method),
      calls,
    );
    const back = fleet.comeBack();
    await central.peer?.close({ force: true });
    await back;
    t.strictSame(
      central.received.map(({ method }) => method),
      [...calls, ...calls],
    );
    t.equal(central.connections, 2);
  });
}

void t.test('stays silent after the upgrade where it does not boot', async (t) => {
  const { central, fleet } = await open(t, 'ocpp1.6', false);
  const [milestones] = await fleet.connect();
  t.ok((milestones?.upgradedAt ?? 0) > 0);
  t.equal(milestones?.bootedAt, 0);
  t.strictSame(central.received, []);
});
