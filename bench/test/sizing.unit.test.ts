import t from 'tap';
import { byRole, type FleetCosts } from '#bench/sizing/costs.ts';
import { fittedCosts, fittedMeasurements, readFittedCosts, type Step } from '#bench/sizing/fitted-costs.ts';
import { assumed, sizeFleet } from '#bench/sizing/size-fleet.ts';

const costs: FleetCosts = {
  idleCores: byRole(() => 1e-6),
  readingCpu: byRole((role) => (role === 'gateway' ? 1e-4 : 0)),
  sessionCpu: byRole((role) => (role === 'PostgreSQL' ? 0.01 : 0)),
  connectCpu: byRole(() => 0.0002),
  processBytes: 100e6,
  stationBytes: 5000,
  readingDisk: 20,
  callDisk: 10,
  sessionDisk: 2000,
};

function stepOf(gateways: number): Step {
  const [stations, rate] = [10_000 * gateways, 500 * gateways];
  return {
    gateways,
    stations,
    rate,
    connectCpu: byRole(() => 0.0003),
    emptyBytes: 100e6 * gateways,
    residentBytes: 100e6 * gateways + 4096 * stations,
    idleCores: byRole(() => 2e-6 * stations),
    loadedCores: byRole(() => 2e-6 * stations + 1e-4 * rate),
  };
}

void t.test('a fleet of 20,000 chargers is sized by its readings, sessions and connections', async (t) => {
  const size = sizeFleet({ ...assumed, stations: 20_000 }, costs);
  // 20,000 × 2 × 1.2 / 24 charge, a reading each every 60 s.
  t.equal(Number(size.readingsPerSecond.toFixed(3)), 33.333);
  t.equal(size.gatewayProcesses, 2);
  t.equal(Number(size.cores.gateway.toFixed(5)), Number((0.02 + 33.3333 * 1e-4).toFixed(5)));
  t.equal(Number(size.cores.PostgreSQL.toFixed(4)), Number((0.02 + (40_000 / 86_400) * 0.01).toFixed(4)));
  t.equal(Number(size.reconnectCores.toFixed(4)), Number(((20_000 / 600) * 0.001).toFixed(4)));
  t.equal(size.gatewayBytes, 2 * 100e6 + 20_000 * 5000);
  t.equal(Math.round(size.diskPerYear), Math.round(365 * (size.readingsPerDay * 20 + 40_000 * 2000)));
});

void t.test('needs grow in proportion to the chargers', async (t) => {
  const [one, ten] = [1000, 10_000].map((stations) => sizeFleet({ ...assumed, stations }, costs));
  t.equal(Number(((ten?.cores.gateway ?? 0) / (one?.cores.gateway ?? 1)).toFixed(6)), 10);
});

void t.test('gateways that use more than half a core get more processes', async (t) => {
  const busy = { ...costs, readingCpu: byRole(() => 1) };
  t.equal(sizeFleet({ ...assumed, stations: 1000 }, busy).gatewayProcesses, 4);
});

function near(value: number, expected: number): boolean {
  return Math.abs(value - expected) < expected * 1e-6;
}

void t.test('fitted lines find the costs of the steps, and a report keeps them', async (t) => {
  const steps = [1, 2, 3].map(stepOf);
  const fitted = fittedCosts(steps);
  t.ok(near(fitted.idleCores.gateway, 2e-6));
  t.ok(near(fitted.readingCpu.gateway, 1e-4));
  t.ok(near(fitted.connectCpu.Redis, 0.0003));
  t.ok(near(fitted.processBytes, 100e6));
  t.ok(near(fitted.stationBytes, 4096));
  const stored = readFittedCosts(fittedMeasurements(steps, fitted));
  t.ok(near(stored?.idleCores.gateway ?? 0, 2e-6));
  t.ok(near(stored?.stationBytes ?? 0, 4096));
});

void t.test('a report without fitted lines has no costs', async (t) => {
  t.equal(readFittedCosts([]), null);
});
