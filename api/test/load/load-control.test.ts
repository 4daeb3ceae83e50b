import t, { type Test } from 'tap';
import { LoadControl } from '#api/services/load/load-control.ts';
import { readPlan } from '#api/services/load/site-bus.ts';
import { openTestDeps } from '#api/test/support/deps.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { openBus } from '#shared/bus/open.ts';
import { defaultSettings } from '#shared/domain/load/plan.ts';
import { insertLoadSite, replaceTree } from '#shared/postgres/load/load-sites.statements.ts';
import type { Station } from '#shared/simulator/station.ts';
import { stations } from '#shared/simulator/stations.ts';
import { seedCharger, type SeededCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const gridAmps = 40;

/** API process that controls sites, with a clock of its own. */
async function startProcess(t: Test, rig: Rig) {
  const clock = new VirtualClock();
  const bus = await openBus({ redisUrl: rig.stores.redisUrl, localName: 'load' });
  t.teardown(() => bus.close());
  const { deps, close } = await openTestDeps(rig.stores, bus, clock);
  t.teardown(close);
  return { clock, bus, control: new LoadControl(deps) };
}

/** Simulated station with a running session. */
async function startStation(
  t: Test,
  rig: Rig,
  charger: SeededCharger,
  version: keyof typeof stations,
): Promise<Station> {
  const station = stations[version]({
    ocppUrl: rig.ocppUrl,
    uid: charger.uid,
    password: charger.password,
    connectors: 1,
    vendor: 'Simulated',
    model: 'AC22',
  });
  t.teardown(() => station.close());
  await station.connect();
  await station.boot();
  return station;
}

const foreign = {
  profileId: 1,
  stackLevel: 3,
  purpose: 'TxDefault',
  kind: 'Relative',
  updateIntervalSeconds: null,
  recurrency: null,
  validFrom: null,
  validTo: null,
  transactionId: null,
  startsAt: null,
  durationSeconds: null,
  rateUnit: 'A',
  minChargingRate: null,
  periods: [{ startSeconds: 0, limit: 32, phases: null }],
} as const;

/** Stores a site of chargers with one connector each, on one line. */
async function storeSite({ stores: { sql }, network }: Rig, chargers: readonly SeededCharger[]) {
  const rows = await sql<{ id: number; uuid: string }[]>`
    select k.id, k.uuid from connectors k join unnest(${chargers.map(({ id }) => id)}::integer[]) with ordinality c (id, place)
      on k.charger_id = c.id order by c.place`;
  return sql.begin(async (transaction) => {
    const site = await insertLoadSite(transaction, network.id, null, {
      name: 'Garage',
      isEnabled: true,
      settings: defaultSettings,
    });
    const circuit = {
      id: 'grid',
      name: 'Grid',
      parentId: null,
      amps: [gridAmps, gridAmps, gridAmps],
      schedule: [],
      other: { kind: 'fixed', amps: [0, 0, 0] },
      transformerRatio: null,
    } as const;
    const connectors = rows.map(({ id, uuid }) => ({
      id: uuid,
      connectorId: id,
      siteId: site.uuid,
      circuitId: 'grid',
      rotation: ['R', 'S', 'T'] as const,
      connection: 'star' as const,
      voltage: 230,
      minAmps: 6,
      maxAmps: 32,
      fallbackAmps: 0,
      control: 'profiles' as const,
      quirks: null,
      priority: 1,
    }));
    await replaceTree(transaction, site.id, [circuit], connectors);
    return site;
  });
}

void t.test(
  'another process takes a site of a killed one, and raises nothing until all limits are confirmed',
  async (t) => {
    const rig = await startRig(t);
    const { sql } = rig.stores;
    const idToken = await seedToken(sql, rig.network.id);
    const [one, two, leaving] = await Promise.all(
      ['1.6', '2.1', '2.0.1'].map(() => seedCharger(sql, rig.network.id, { connectors: 1 })),
    );
    if (one === undefined || two === undefined || leaving === undefined)
      throw new Error('a charger is missing');
    const silent = await rig.connect('ocpp1.6');
    await sql`update connectors set deleted_at = now() where charger_id = ${silent.charger.id} and number = 2`;
    const cars = [
      await startStation(t, rig, one, '1.6'),
      await startStation(t, rig, two, '2.1'),
      await startStation(t, rig, leaving, '2.0.1'),
    ];
    // Another back end left a default profile at each of them, which outranks ours.
    for (const { uid } of [one, two, leaving]) {
      t.match(await rig.command(uid, { type: 'set-charging-profile', evse: 0, profile: foreign }), {
        ok: true,
        result: { accepted: true },
      });
    }
    const site = await storeSite(rig, [one, two, leaving, silent.charger]);

    // The last station accepts its fallback from the first process, and later keeps its answer back.
    let release: (() => void) | null = null;
    let isHeld = false;
    silent.client.handle('SetChargingProfile', async () => {
      if (isHeld) await new Promise<void>((resolve) => (release = resolve));
      return { status: 'Accepted' };
    });
    silent.client.handle('ClearChargingProfile', async () => ({ status: 'Unknown' }));
    const limits = () => cars.map((station) => station.limitAmps(1) ?? 32);
    const allowed = () => limits().reduce((sum, amps) => sum + amps, 0);
    let highest = 0;
    const run = async ({ clock, control }: Awaited<ReturnType<typeof startProcess>>) => {
      clock.advance(1000);
      control.claimFreeSites();
      await control.tick();
      const plan = await readPlan(rig.bus, site.uuid);
      highest = Math.max(highest, plan === null ? 0 : allowed());
      return plan;
    };

    const first = await startProcess(t, rig);
    await until('all stations have a fallback of 0', async () => {
      await run(first);
      return allowed() === 0;
    });
    await Promise.all(cars.map((station) => station.startSession({ idToken })));
    highest = 0;
    await until('three cars share the line', async () => {
      await run(first);
      return limits().every((amps) => amps >= 13);
    });
    t.ok(highest <= gridAmps, `${highest} A`);

    // The first process is killed: its clock stands still. A car leaves, so that there is room for a raise.
    await first.bus.close();
    await cars[2]?.stopSession();
    const before = limits();
    isHeld = true;
    const second = await startProcess(t, rig);
    for (let seconds = 0; seconds < 3; seconds += 1) await run(second);
    t.same(limits(), before, 'the lease of the first process is respected');
    await sql`update load_sites set lease_until = now() where id = ${site.id}`;
    await until('the other stations confirm their limits', async () => {
      const plan = await run(second);
      return plan?.connectors.slice(0, 2).every(({ isConfirmed }) => isConfirmed);
    });
    for (let seconds = 0; seconds < 15; seconds += 1) await run(second);
    t.ok(
      limits().every((amps, index) => amps <= (before[index] ?? 0)),
      'no limit is raised',
    );
    isHeld = false;
    await until('the silent station has a message', () => release);
    (release as (() => void) | null)?.();
    await until('the cars get what is left', async () => {
      await run(second);
      return limits()[0] === gridAmps / 2 && limits()[1] === gridAmps / 2;
    });
    t.ok(highest <= gridAmps, `${highest} A`);
    await second.control.stop();
  },
);
