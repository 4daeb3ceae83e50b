import { sumSessions } from '#shared/clickhouse/session-analytics.ts';
import type { Bucket } from '#shared/domain/kernel/calendar.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';
import { type AnalyzedNetwork, sumDriverSessions } from '#shared/postgres/reporting/analytics.statements.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';
import { divideRounded } from '#shared/pricing/money.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';

/** Totals of sessions; amounts in minor units of one currency. */
export interface Totals {
  sessions: number;
  /** Those that have a price. */
  pricedSessions: number;
  durationMs: number;
  energyMilliWh: number;
  exclVatMinor: bigint;
  inclVatMinor: bigint;
}

/** The sessions of one network, summed. */
export interface NetworkSums {
  network: AnalyzedNetwork;
  buckets: Bucket[];
  sums: SessionSums[];
}

/**
 * Sums the sessions that ended in the buckets of each network; a driver's own where `userId` is given.
 * @throws {DomainError} STORE_UNAVAILABLE when ClickHouse is unreachable.
 */
export async function sumNetworks(
  { staleReads, clickhouse }: ServiceDeps,
  networks: readonly AnalyzedNetwork[],
  buckets: ReadonlyMap<string, Bucket[]>,
  userId: number | null = null,
): Promise<NetworkSums[]> {
  const zones = [...Map.groupBy(networks, ({ timeZone }) => timeZone)];
  const sums = await Promise.all(
    zones.map(([timeZone, inZone]) => {
      const networkIds = inZone.map(({ id }) => id);
      const inZoneBuckets = buckets.get(timeZone) ?? [];
      return userId === null
        ? fromClickHouse(sumSessions(clickhouse, networkIds, inZoneBuckets))
        : staleReads.read((sql) => sumDriverSessions(sql, userId, networkIds, inZoneBuckets));
    }),
  );
  const byNetwork = Map.groupBy(sums.flat(), ({ networkId }) => networkId);
  return networks.map((network) => ({
    network,
    buckets: buckets.get(network.timeZone) ?? [],
    sums: byNetwork.get(network.id) ?? [],
  }));
}

/** The sum of sums. */
export function addUp(sums: readonly SessionSums[]): Totals {
  const totals: Totals = {
    sessions: 0,
    pricedSessions: 0,
    durationMs: 0,
    energyMilliWh: 0,
    exclVatMinor: 0n,
    inclVatMinor: 0n,
  };
  for (const sum of sums) {
    totals.sessions += sum.sessions;
    totals.pricedSessions += sum.pricedSessions;
    totals.durationMs += sum.durationMs;
    totals.energyMilliWh += sum.energyMilliWh;
    totals.exclVatMinor += sum.costExclVatMinor;
    totals.inclVatMinor += sum.costInclVatMinor;
  }
  return totals;
}

/** A day, week or month with what ended in it. */
export interface DatedTotals extends Totals {
  date: string;
}

/** The sums of each bucket of a network, those without sessions too. */
export function byBucket(buckets: readonly Bucket[], sums: readonly SessionSums[]): DatedTotals[] {
  const found = Map.groupBy(sums, ({ bucket }) => bucket);
  return buckets.map(({ date }, index) => ({ date, ...addUp(found.get(index) ?? []) }));
}

/** The sums by date over networks: each counts a session on its own local date. */
export function byDate(networks: readonly NetworkSums[]): DatedTotals[] {
  const dated = networks.flatMap(({ buckets, sums }) =>
    sums.map((sum) => ({ ...sum, date: buckets[sum.bucket]?.date ?? '' })),
  );
  const found = Map.groupBy(dated, ({ date }) => date);
  const dates = new Set(networks.flatMap(({ buckets }) => buckets.map(({ date }) => date)));
  return [...dates].toSorted().map((date) => ({ date, ...addUp(found.get(date) ?? []) }));
}

/** The same networks with what is in one currency. */
export function inCurrency(networks: readonly NetworkSums[], currency: string): NetworkSums[] {
  return networks.map((network) => ({
    ...network,
    sums: network.sums.filter((sum) => sum.currency === currency),
  }));
}

/** The currencies that networks keep their money in, and those of their sessions; in alphabetical order. */
export function currenciesOf(networks: readonly NetworkSums[]): string[] {
  const all = networks.flatMap(({ network, sums }) => [
    network.currency,
    ...sums.filter(({ pricedSessions }) => pricedSessions > 0).map(({ currency }) => currency),
  ]);
  return [...new Set(all)].toSorted();
}

/**
 * Returns the currency that a total over several currencies is headed by: the requested one; else the first with priced
 * sessions, the networks' own currencies before others and the oldest network's first; else that of the oldest network.
 * Null when there is no network.
 */
export function headlineCurrency(
  networks: readonly NetworkSums[],
  requested: string | undefined,
): string | null {
  if (requested !== undefined) return requested.toUpperCase();
  const own = networks.map(({ network }) => network.currency);
  const sold = new Set(
    networks.flatMap(({ sums }) => sums.flatMap((sum) => (sum.pricedSessions > 0 ? [sum.currency] : []))),
  );
  return [...own, ...[...sold].toSorted()].find((currency) => sold.has(currency)) ?? own[0] ?? null;
}

/** An amount in major units, to 2 decimals. */
export function money(minor: bigint, currency: string): number {
  return averageMoney(minor, 1, currency);
}

/** Returns the average cost of a session, in major units, to 2 decimals; 0 without sessions. */
export function averageMoney(minor: bigint, sessions: number, currency: string): number {
  if (sessions === 0) return 0;
  return Number(divideRounded(minor * 100n, BigInt(sessions) * 10n ** BigInt(minorDigits(currency)))) / 100;
}

/** Thousandths of a Wh as kWh, to 2 decimals. */
export function kilowattHours(milliWh: number): number {
  return Math.round(milliWh / 10_000) / 100;
}

/** Minutes that sessions lasted on average, to 1 decimal; 0 without sessions. */
export function averageMinutes({ durationMs, sessions }: Totals): number {
  return sessions === 0 ? 0 : Math.round(durationMs / sessions / 6000) / 10;
}
