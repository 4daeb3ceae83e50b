import type { IdlePeriod } from '#shared/domain/charging/idle.ts';
import type { SessionUsage } from '#shared/pricing/usage.ts';
import type { PriceComponent, Tariff, TariffElement } from '#shared/pricing/tariff.ts';

/** A tariff in EUR. */
export function tariff(elements: TariffElement[], more: Partial<Tariff> = {}): Tariff {
  return { uuid: 'u', name: 'n', currency: 'EUR', elements, ...more };
}

/** A tariff of one element without restrictions. */
export function plain(...components: PriceComponent[]): Tariff {
  return tariff([{ price_components: components }]);
}

const minute = 60_000;

/** Stage of a session: it charges, is parked by its driver, or is held back by its charger. */
export interface Stage {
  minutes: number;
  kwh?: number;
  idle?: 'SuspendedEV' | 'SuspendedEVSE';
  currentA?: number;
}

/** A session of stages, with a reading where one follows the other. */
export function session(start: string, ...stages: Stage[]): SessionUsage {
  const startedAt = new Date(start);
  const idlePeriods: IdlePeriod[] = [];
  const readings = [];
  let at = startedAt;
  let energyWh = 0;
  for (const { minutes, kwh = 0, idle, currentA } of stages) {
    readings.push({ at: new Date(at.getTime() + 1), energyWh, currentA: currentA ?? null });
    const to = new Date(at.getTime() + minutes * minute);
    if (idle !== undefined) idlePeriods.push({ from: at, to, cause: idle });
    energyWh += kwh * 1000;
    readings.push({ at: to, energyWh, currentA: currentA ?? null });
    at = to;
  }
  return { startedAt, endedAt: at, energyWh, idlePeriods, readings };
}
