import { Type } from 'typebox';
import { BucketDate, Period, window } from '#api/routes/analytics-query.ts';
import { Named, Nullable, Uuid } from '#api/routes/schema.ts';

const networkCount = Type.Integer({ description: 'Number of networks in the values.' });
const timeZone = Type.String({
  description: 'Time zone of the network, in which its days begin (IANA name).',
  examples: ['Europe/Amsterdam'],
});
const Currency = Type.String({
  description: 'Currency of the amounts (ISO 4217), which are in its major unit, to 2 decimals.',
  examples: ['EUR'],
});

const Buckets = Type.Array(
  Type.Object({
    date: BucketDate,
    value: Type.Number({
      description: 'Value of the period, in the unit or currency of the rollup.',
      examples: [12.5],
    }),
    count: Type.Integer({ description: 'Number of sessions in the value.' }),
  }),
  { description: 'Values by period.' },
);

const sums = {
  total: Type.Number({ description: 'Sum of all periods.', examples: [1] }),
  count: Type.Integer({ description: 'Number of sessions in the sum.' }),
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
  totalExclVat: Type.Number({ description: 'Total without VAT.', examples: [5] }),
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
        'Currency of `totalRevenue` (ISO 4217). Null when the caller has no network and requested none.',
      examples: ['EUR'],
    }),
  ),
  totals: Type.Array(
    Type.Object({
      currency: Currency,
      totalRevenue: Type.Number({ description: 'Revenue with VAT.', examples: [72.6] }),
      totalRevenueExclVat: Type.Number({ description: 'Total without VAT.' }),
      sessions: Type.Integer({ description: 'Number of sessions with a price.', examples: [12] }),
    }),
    { description: 'Revenue by currency of the networks and their sessions.' },
  ),
  unpricedSessions: Type.Integer({
    description: 'Number of sessions without a tariff or with a pending price.',
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
      description: 'Revenue in currencies other than the currency of the network. Usually empty.',
    }),
  }),
});

export const Energy = Named('EnergyRollup', {
  metric: Type.Literal('energy', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  totalEnergyKwh: Type.Number({ description: 'Energy in kWh, to 2 decimals.', examples: [150.25] }),
  networkCount,
  networks: networksOf({ unit: Type.Literal('kWh', { description: 'Unit of the values.' }), ...sums }),
});

export const Sessions = Named('SessionRollup', {
  metric: Type.Literal('sessions', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  totalSessions: Type.Integer({
    description: 'Number of sessions that ended in the window.',
    examples: [12],
  }),
  networkCount,
  networks: networksOf({ unit: Type.Literal('sessions', { description: 'Unit of the values.' }), ...sums }),
});

export const Utilization = Named('UtilizationRollup', {
  metric: Type.Literal('utilization', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  averageUtilization: Type.Number({
    description: 'Average utilization of all connectors, in percent of their time, to 2 decimals.',
  }),
  networkCount,
  networks: networksOf({
    unit: Type.Literal('percent', { description: 'Unit of the values.' }),
    average: Type.Number({
      description:
        "Average utilization of the network's connectors, in percent of their time, to 2 decimals.",
    }),
    buckets: Type.Array(
      Type.Object({
        date: BucketDate,
        value: Type.Number({ description: 'Utilization in percent, to 2 decimals.', examples: [12.5] }),
        chargingHours: Type.Number({ description: 'Time charging of all connectors, in hours.' }),
        connectorHours: Type.Number({ description: 'Time that the connectors existed, in hours.' }),
      }),
      { description: 'Values by period.' },
    ),
  }),
});

const states = {
  totalChargers: Type.Integer({ description: 'Number of chargers, without decommissioned ones.' }),
  available: Type.Integer({ description: 'Number of chargers that are online and Available.' }),
  charging: Type.Integer({ description: 'Number of chargers that are online and in use.' }),
  offline: Type.Integer({
    description: 'Number of chargers that are not connected, or sent no message for 5 minutes.',
    examples: [1],
  }),
};

export const Uptime = Named('UptimeSnapshot', {
  metric: Type.Literal('uptime', { description: 'Name of the metric.' }),
  ...states,
  uptimePercent: Type.Number({
    description: 'Share of available and charging chargers in percent, to 1 decimal.',
  }),
  offlinePercent: Type.Number({ description: 'Share of offline chargers in percent, to 1 decimal.' }),
  networkCount,
  networks: Type.Array(
    Type.Object({
      networkId: Uuid('Network identifier.'),
      ...states,
      availablePercent: Type.Number({
        description: 'Share of available chargers of the network in percent, to 1 decimal.',
      }),
      inUsePercent: Type.Number({ description: 'Share of chargers in use in percent, to 1 decimal.' }),
      offlinePercent: Type.Number({ description: 'Share of offline chargers in percent, to 1 decimal.' }),
    }),
    { description: 'Values by network.' },
  ),
});

export const Kpis = Named('Kpis', {
  metric: Type.Literal('kpis', { description: 'Name of the metric.' }),
  ...window,
  totalSessions: Type.Integer({
    description: 'Number of sessions that ended in the window.',
    examples: [12],
  }),
  totalEnergyKwh: Type.Number({ description: 'Energy in kWh, to 2 decimals.', examples: [150.25] }),
  ...revenueTotals,
  avgDurationMinutes: Type.Number({
    description: 'Average duration of the ended sessions in minutes, to 1 decimal.',
  }),
  networkCount,
});
