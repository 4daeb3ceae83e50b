import { Type } from 'typebox';
import { BucketDate, Period, window } from '#api/routes/analytics-query.ts';
import { Named, Nullable, Uuid } from '#api/routes/schema.ts';

const networkCount = Type.Integer({ description: 'The networks that are counted' });
const timeZone = Type.String({
  description: "The network's, in which its days begin",
  examples: ['Europe/Amsterdam'],
});
const Currency = Type.String({
  description: 'ISO 4217; amounts are in its major unit, to 2 decimals',
  examples: ['EUR'],
});

const Buckets = Type.Array(
  Type.Object({
    date: BucketDate,
    value: Type.Number({ description: 'In the unit or currency of the rollup', examples: [12.5] }),
    count: Type.Integer({ description: 'The sessions that the value is made of' }),
  }),
  { description: 'Values by period.' },
);

const sums = {
  total: Type.Number({ description: 'Of all buckets', examples: [1] }),
  count: Type.Integer({ description: 'The sessions that it is made of' }),
  buckets: Buckets,
};

function networksOf<Rollup extends Parameters<typeof Type.Object>[0]>(rollup: Rollup) {
  return Type.Array(
    Type.Object({
      networkId: Uuid('Network identifier.'),
      rollup: Type.Object({ timeZone, ...rollup }, { description: 'Values of the network.' }),
    }),
  );
}

const inOneCurrency = {
  currency: Currency,
  totalExclVat: Type.Number({ description: 'Without VAT', examples: [5] }),
  ...sums,
};
const revenueTotals = {
  totalRevenue: Type.Number({
    description: 'Revenue in `currency`, VAT included, to 2 decimals.',
    examples: [72.6],
  }),
  currency: Nullable(
    Type.String({
      description:
        'Currency of `totalRevenue` (ISO 4217). Null when the caller reaches no network and requested none.',
      examples: ['EUR'],
    }),
  ),
  totals: Type.Array(
    Type.Object({
      currency: Currency,
      totalRevenue: Type.Number({ description: 'VAT included', examples: [72.6] }),
      totalRevenueExclVat: Type.Number({ description: 'Without VAT' }),
      sessions: Type.Integer({ description: 'Those with a price', examples: [12] }),
    }),
    { description: 'Revenue of each currency of the networks and their sessions.' },
  ),
  unpricedSessions: Type.Integer({
    description: 'Sessions that no tariff was assigned to, and ones whose price is not there yet',
  }),
};

export const Revenue = Named('RevenueRollup', {
  metric: Type.Literal('revenue', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  ...revenueTotals,
  networkCount,
  networks: networksOf({
    ...inOneCurrency,
    otherCurrencies: Type.Array(Type.Object(inOneCurrency), {
      description: "What was billed in another currency than the network's; empty as a rule",
    }),
  }),
});

export const Energy = Named('EnergyRollup', {
  metric: Type.Literal('energy', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  totalEnergyKwh: Type.Number({ description: 'To 2 decimals', examples: [150.25] }),
  networkCount,
  networks: networksOf({ unit: Type.Literal('kWh', { description: 'Unit of the values.' }), ...sums }),
});

export const Sessions = Named('SessionRollup', {
  metric: Type.Literal('sessions', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  totalSessions: Type.Integer({ description: 'Sessions that ended in the window', examples: [12] }),
  networkCount,
  networks: networksOf({ unit: Type.Literal('sessions', { description: 'Unit of the values.' }), ...sums }),
});

export const Utilization = Named('UtilizationRollup', {
  metric: Type.Literal('utilization', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  averageUtilization: Type.Number({ description: 'Percent of the time of all connectors, to 2 decimals' }),
  networkCount,
  networks: networksOf({
    unit: Type.Literal('percent', { description: 'Unit of the values.' }),
    average: Type.Number({ description: 'Percent of the time of its connectors, to 2 decimals' }),
    buckets: Type.Array(
      Type.Object({
        date: BucketDate,
        value: Type.Number({ description: 'Percent, to 2 decimals', examples: [12.5] }),
        chargingHours: Type.Number({ description: 'Of all connectors together' }),
        connectorHours: Type.Number({ description: 'That connectors were there' }),
      }),
      { description: 'Values by period.' },
    ),
  }),
});

const states = {
  totalChargers: Type.Integer({ description: 'Without those that were decommissioned' }),
  available: Type.Integer({ description: 'Chargers that are online and Available' }),
  charging: Type.Integer({ description: 'Chargers that are online and in use' }),
  offline: Type.Integer({
    description: 'Chargers that are not connected, or were not heard for 5 minutes',
    examples: [1],
  }),
};

export const Uptime = Named('UptimeSnapshot', {
  metric: Type.Literal('uptime', { description: 'Name of the metric.' }),
  ...states,
  uptimePercent: Type.Number({ description: 'Available and charging, to 1 decimal' }),
  offlinePercent: Type.Number({ description: 'Of the total, to 1 decimal' }),
  networkCount,
  networks: Type.Array(
    Type.Object({
      networkId: Uuid('Network identifier.'),
      ...states,
      availablePercent: Type.Number({ description: 'Of its chargers, to 1 decimal' }),
      inUsePercent: Type.Number({ description: 'Likewise' }),
      offlinePercent: Type.Number({ description: 'Likewise' }),
    }),
    { description: 'Values by network.' },
  ),
});

export const Kpis = Named('Kpis', {
  metric: Type.Literal('kpis', { description: 'Name of the metric.' }),
  ...window,
  totalSessions: Type.Integer({ description: 'Sessions that ended in the window', examples: [12] }),
  totalEnergyKwh: Type.Number({ description: 'To 2 decimals', examples: [150.25] }),
  ...revenueTotals,
  avgDurationMinutes: Type.Number({ description: 'Of the sessions that ended, to 1 decimal' }),
  networkCount,
});
