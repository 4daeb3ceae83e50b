import type { Static } from 'typebox';
import { windowView } from '#api/routes/analytics-query.ts';
import type { Analytics, readUptime } from '#api/services/reporting/analytics.service.ts';
import {
  addUp,
  averageMinutes,
  byBucket,
  currenciesOf,
  type DatedTotals,
  headlineCurrency,
  inCurrency,
  kilowattHours,
  money,
  type NetworkSums,
} from '#api/services/reporting/session-totals.ts';
import { type NetworkUse, usePercent } from '#api/services/reporting/utilization.ts';
import type { Energy, Kpis, Revenue, Sessions, Uptime, Utilization } from './analytics-schema.ts';

export function revenueView(
  analytics: Analytics<NetworkSums>,
  requested: string | undefined,
): Static<typeof Revenue> {
  return {
    ...head(analytics, 'revenue'),
    ...revenueTotalsOf(analytics.networks, requested),
    ...networks(analytics, (network) => {
      const own = network.network.currency;
      const others = currenciesOf([network]).filter((currency) => currency !== own);
      return {
        ...revenueIn(network, own),
        otherCurrencies: others.map((currency) => revenueIn(network, currency)),
      };
    }),
  };
}

export function energyView(analytics: Analytics<NetworkSums>): Static<typeof Energy> {
  return {
    ...head(analytics, 'energy'),
    totalEnergyKwh: kilowattHours(addUp(allSums(analytics.networks)).energyMilliWh),
    ...networks(analytics, (network) => {
      const { energyMilliWh, sessions } = addUp(network.sums);
      return {
        unit: 'kWh' as const,
        total: kilowattHours(energyMilliWh),
        count: sessions,
        buckets: buckets(network, (totals) => kilowattHours(totals.energyMilliWh)),
      };
    }),
  };
}

export function sessionsView(analytics: Analytics<NetworkSums>): Static<typeof Sessions> {
  return {
    ...head(analytics, 'sessions'),
    totalSessions: addUp(allSums(analytics.networks)).sessions,
    ...networks(analytics, (network) => {
      const { sessions } = addUp(network.sums);
      return {
        unit: 'sessions' as const,
        total: sessions,
        count: sessions,
        buckets: buckets(network, (totals) => totals.sessions),
      };
    }),
  };
}

export function utilizationView(analytics: Analytics<NetworkUse>): Static<typeof Utilization> {
  return {
    ...head(analytics, 'utilization'),
    averageUtilization: usePercent(analytics.networks.flatMap(({ buckets }) => buckets)),
    ...networks(analytics, ({ buckets }) => ({
      unit: 'percent' as const,
      average: usePercent(buckets),
      buckets: buckets.map((bucket) => ({
        date: bucket.date,
        value: usePercent([bucket]),
        chargingHours: hours(bucket.chargingMs),
        connectorHours: hours(bucket.connectorMs),
      })),
    })),
  };
}

export function uptimeView(counts: Awaited<ReturnType<typeof readUptime>>): Static<typeof Uptime> {
  const sum = (pick: (count: (typeof counts)[number]) => number) =>
    counts.reduce((total, count) => total + pick(count), 0);
  const totalChargers = sum(({ total }) => total);
  const available = sum((count) => count.available);
  const charging = sum((count) => count.charging);
  const offline = sum((count) => count.offline);
  return {
    metric: 'uptime',
    totalChargers,
    available,
    charging,
    offline,
    uptimePercent: percent(available + charging, totalChargers),
    offlinePercent: percent(offline, totalChargers),
    networkCount: counts.length,
    networks: counts.map((count) => ({
      networkId: count.networkUuid,
      totalChargers: count.total,
      available: count.available,
      charging: count.charging,
      offline: count.offline,
      availablePercent: percent(count.available, count.total),
      inUsePercent: percent(count.charging, count.total),
      offlinePercent: percent(count.offline, count.total),
    })),
  };
}

export function kpisView(
  analytics: Analytics<NetworkSums>,
  requested: string | undefined,
): Static<typeof Kpis> {
  const totals = addUp(allSums(analytics.networks));
  return {
    metric: 'kpis',
    ...windowView(analytics),
    totalSessions: totals.sessions,
    totalEnergyKwh: kilowattHours(totals.energyMilliWh),
    ...revenueTotalsOf(analytics.networks, requested),
    avgDurationMinutes: averageMinutes(totals),
    networkCount: analytics.networks.length,
  };
}

function head<Metric extends string>({ period, ...times }: Analytics<unknown>, metric: Metric) {
  return { metric, period, ...windowView(times) };
}

function networks<PerNetwork extends NetworkSums | NetworkUse, Rollup>(
  analytics: Analytics<PerNetwork>,
  rollupOf: (network: PerNetwork) => Rollup,
) {
  return {
    networkCount: analytics.networks.length,
    networks: analytics.networks.map((entry) => ({
      networkId: entry.network.uuid,
      rollup: { timeZone: entry.network.timeZone, ...rollupOf(entry) },
    })),
  };
}

function allSums(networks: readonly NetworkSums[]) {
  return networks.flatMap(({ sums }) => sums);
}

function revenueTotalsOf(networks: readonly NetworkSums[], requested: string | undefined) {
  const totals = currenciesOf(networks).map((currency) => {
    const { inclVatMinor, exclVatMinor, pricedSessions } = addUp(allSums(inCurrency(networks, currency)));
    return {
      currency,
      totalRevenue: money(inclVatMinor, currency),
      totalRevenueExclVat: money(exclVatMinor, currency),
      sessions: pricedSessions,
    };
  });
  const { sessions, pricedSessions } = addUp(allSums(networks));
  const headline = headlineCurrency(networks, requested);
  return {
    totalRevenue: totals.find(({ currency }) => currency === headline)?.totalRevenue ?? 0,
    currency: headline,
    totals,
    unpricedSessions: sessions - pricedSessions,
  };
}

function revenueIn(network: NetworkSums, currency: string) {
  const sums = network.sums.filter((sum) => sum.currency === currency);
  const { inclVatMinor, exclVatMinor, pricedSessions } = addUp(sums);
  const ofCurrency = { ...network, sums };
  return {
    currency,
    total: money(inclVatMinor, currency),
    totalExclVat: money(exclVatMinor, currency),
    count: pricedSessions,
    buckets: byBucket(ofCurrency.buckets, sums).map((totals) => ({
      date: totals.date,
      value: money(totals.inclVatMinor, currency),
      count: totals.pricedSessions,
    })),
  };
}

function buckets(network: NetworkSums, value: (totals: DatedTotals) => number) {
  return byBucket(network.buckets, network.sums).map((totals) => ({
    date: totals.date,
    value: value(totals),
    count: totals.sessions,
  }));
}

function hours(ms: number): number {
  return Math.round(ms / 36_000) / 100;
}

/** Returns a percentage to 1 decimal; 0 for an empty whole. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}
