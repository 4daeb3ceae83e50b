import { sumChargedEnergy } from '#shared/clickhouse/charged-energy.ts';
import { chargingTimes } from '#shared/domain/charging/charging-times.ts';
import { slotMs } from '#shared/domain/kernel/calendar.ts';
import { type Interval, spread } from '#shared/domain/kernel/intervals.ts';
import { listAnalyzedNetworks, listRunningEnergy } from '#shared/postgres/reporting/analytics.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';

/** Mean power in a quarter of an hour. */
interface SlotPower extends Interval {
  powerW: number;
}

const slotsOfDay = 96;
const hourMs = 3_600_000;

/**
 * Returns the mean power of each of the last 96 whole quarters of an hour. Sessions in review are left out. The
 * energy of a session, of a running one its energy so far, is spread evenly over the time in which it charged.
 * @throws {DomainError} NETWORK_NOT_FOUND, STORE_UNAVAILABLE.
 */
export async function readPowerHistory(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
): Promise<SlotPower[]> {
  const networks = await listAnalyzedNetworks(deps.sql, await networksOfCall(deps, caller, networkUuid));
  const networkIds = networks.map(({ id }) => id);
  const first = (Math.floor(Date.now() / slotMs) - slotsOfDay) * slotMs;
  const slots = Array.from({ length: slotsOfDay }, (_, index) => {
    const from = first + index * slotMs;
    return { from, to: from + slotMs };
  });
  const [ended, running] = await Promise.all([
    fromClickHouse(
      sumChargedEnergy(deps.clickhouse, networkIds, { from: first, to: first + slotsOfDay * slotMs }),
    ),
    listRunningEnergy(deps.sql, networkIds),
  ]);
  const energy = slots.map(() => 0);
  const add = (index: number, energyWh: number) => {
    if (energy[index] !== undefined) energy[index] += energyWh;
  };
  for (const { from, energyWh } of ended) add((from - first) / slotMs, energyWh);
  for (const { liveAt, energyWh, ...session } of running) {
    const times = chargingTimes(session, liveAt);
    const chargedMs = times.reduce((sum, { from, to }) => sum + to - from, 0);
    if (chargedMs === 0) continue;
    for (const [index, ms] of spread(times, slots).entries()) add(index, (energyWh * ms) / chargedMs);
  }
  return slots.map((slot, index) => ({ ...slot, powerW: ((energy[index] ?? 0) * hourMs) / slotMs }));
}
