import t from 'tap';
import { byRole, type ByRole, type FleetCosts } from '#bench/sizing/costs.ts';
import { fittedCosts, fittedMeasurements, readFittedCosts, type Step } from '#bench/sizing/fitted-costs.ts';
import { assumed, billFleet, fleetCores, sizeFleet } from '#bench/sizing/size-fleet.ts';

const costs: FleetCosts = {
  processCores: byRole(() => 0.01),
  receivingCores: byRole((role) => (role === 'ClickHouse' ? 0.05 : 0.02)),
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

/** Step of gateways that cost as above: 25 and 500 readings a second each. */
function stepOf(gateways: number): Step {
  const stations = 10_000 * gateways;
  const without = (role: keyof ByRole): number => (role === 'gateway' ? 0.01 * gateways : 0.01);
  const idle = (role: keyof ByRole): number => without(role) + 2e-6 * stations;
  return {
    gateways,
    stations,
    emptyCores: gateways === 1 ? byRole(() => 0.01) : null,
    emptyBytes: 100e6,
    endBytes: 120e6 * gateways,
    connectCpu: byRole(() => 0.0003),
    idleCores: byRole(idle),
    loaded: [25, 500].map((each) => ({
      rate: each * gateways,
      cores: byRole((role) => idle(role) + 0.03 * gateways + 1e-4 * each * gateways),
    })),
  };
}

function near(value: number | undefined, expected: number): boolean {
  return Math.abs((value ?? 0) - expected) < Math.abs(expected) * 1e-6;
}

void t.test(
  'a fleet of 20,000 chargers is sized by its processes, readings, sessions and connections',
  async (t) => {
    const size = sizeFleet({ ...assumed, stations: 20_000 }, costs);
    // 20,000 × 2 × 1.2 / 24 charge, a reading each every 60 s.
    const readings = 2000 / 60;
    t.ok(near(size.readingsPerSecond, readings));
    t.equal(size.gatewayProcesses, 2);
    t.ok(near(size.cores.gateway, 2 * (0.01 + 0.02) + 0.02 + readings * 1e-4), 'each process costs');
    t.ok(near(size.cores.ClickHouse, 0.01 + 2 * 0.05 + 0.02), 'each gateway inserts');
    t.ok(near(size.cores.PostgreSQL, 0.01 + 2 * 0.02 + 0.02 + (40_000 / 86_400) * 0.01));
    t.ok(near(size.reconnectCores, (20_000 / 600) * 0.001));
    t.equal(size.gatewayBytes, 2 * 100e6 + 20_000 * 5000);
    t.equal(Math.round(size.diskPerYear), Math.round(365 * (size.readingsPerDay * 20 + 40_000 * 2000)));
  },
);

void t.test('the bill of a fleet has its processor time, its disk after a year and reserves', async (t) => {
  const fleet = { ...assumed, stations: 2_000_000 };
  const size = sizeFleet(fleet, costs);
  const bill = billFleet(fleet, costs);
  const inUse = Object.values(size.cores).reduce((sum, cores) => sum + cores);
  t.ok(near(bill.cpuHoursPerDay, 24 * inUse));
  t.ok(near(bill.bytesPerDay * 365, size.diskPerYear + (size.logDisk * 365) / assumed.logDays));
  t.equal(bill.cores, Math.ceil(2 * inUse));
  t.ok(near(bill.eurosPerMonth, bill.cores * 15 + (bill.bytes / 1e9) * 0.1));
  t.equal(billFleet({ ...fleet, stations: 10 }, costs).cores, 2, 'at least two cores');
});

void t.test('a fleet without readings pays nothing to receive them', async (t) => {
  const { cores } = fleetCores({ ...assumed, sessionsPerDay: 0, stations: 1000 }, costs);
  t.ok(near(cores.gateway, 0.01 + 0.001));
});

void t.test('gateways that use more than half a core get more processes', async (t) => {
  const busy = { ...costs, readingCpu: byRole(() => 1) };
  // 1.67 readings a second of a second each, in processes that have 0.47 cores left for them.
  t.equal(sizeFleet({ ...assumed, stations: 1000 }, busy).gatewayProcesses, 4);
});

void t.test(
  'fitted costs tell process, receiving, station and reading apart, and a report keeps them',
  async (t) => {
    const steps = [1, 2, 3].map(stepOf);
    const fitted = fittedCosts(steps);
    const stored = readFittedCosts(fittedMeasurements(steps, fitted));
    for (const found of [fitted, stored]) {
      t.ok(near(found?.processCores.gateway, 0.01));
      t.ok(near(found?.receivingCores.ClickHouse, 0.03));
      t.ok(near(found?.idleCores.gateway, 2e-6));
      t.ok(near(found?.readingCpu.gateway, 1e-4));
      t.ok(near(found?.connectCpu.Redis, 0.0003));
      t.ok(near(found?.processBytes, 100e6));
    }
  },
);

void t.test('fitted costs are never negative', async (t) => {
  const [step] = [stepOf(1)];
  const quiet = (cores: [number, number]): Step => ({
    ...step,
    idleCores: byRole(() => 0.005),
    loaded: cores.map((value, index) => ({ rate: [25, 500][index]!, cores: byRole(() => 0.005 + value) })),
  });
  const falling = fittedCosts([quiet([0.003, 0.001])]);
  t.ok(near(falling.receivingCores.api, 0.002), 'a falling line is its mean');
  t.same([falling.readingCpu.api, falling.idleCores.api], [0, 0]);
  const steep = fittedCosts([quiet([0, 0.5])]);
  t.equal(steep.receivingCores.api, 0);
  t.ok(steep.readingCpu.api > 0);
});

void t.test('a report without fitted lines has no costs', async (t) => {
  t.equal(readFittedCosts([]), null);
});
