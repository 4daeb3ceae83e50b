import { Type } from 'typebox';
import { BucketDate, Period, window } from '#api/routes/analytics-query.ts';
import { Decimal, Integer, Named, Nullable, Str, Uuid } from '#api/routes/schema.ts';

const networkCount = Integer('Number of networks in the values.');
const timeZone = Str('Time zone of the network, in which its days begin (IANA name).', 'Europe/Amsterdam');
const Currency = Str(
  'Currency of the amounts (ISO 4217), which are in its major unit, to 2 decimals.',
  'EUR',
);

const Buckets = Type.Array(
  Type.Object({
    date: BucketDate,
    value: Decimal('Value of the period, in the unit or currency of the rollup.', 12.5),
    count: Integer('Number of sessions in the value.'),
  }),
  { description: 'Values by period.' },
);

const sums = {
  total: Decimal('Sum of all periods.', 1),
  count: Integer('Number of sessions in the sum.'),
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
  totalExclVat: Decimal('Total without VAT.', 5),
  ...sums,
};
const revenueTotals = {
  totalRevenue: Decimal('Revenue in `currency`, VAT included, to 2 decimals.', 72.6),
  currency: Nullable(
    Str(
      'Currency of `totalRevenue` (ISO 4217). Null when the caller has no network and requested none.',
      'EUR',
    ),
  ),
  totals: Type.Array(
    Type.Object({
      currency: Currency,
      totalRevenue: Decimal('Revenue with VAT.', 72.6),
      totalRevenueExclVat: Decimal('Total without VAT.'),
      sessions: Integer('Number of sessions with a price.', 12),
    }),
    { description: 'Revenue by currency of the networks and their sessions.' },
  ),
  unpricedSessions: Integer('Number of sessions without a tariff or with a pending price.'),
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
  totalEnergyKwh: Decimal('Energy in kWh, to 2 decimals.', 150.25),
  networkCount,
  networks: networksOf({ unit: Type.Literal('kWh', { description: 'Unit of the values.' }), ...sums }),
});

export const Sessions = Named('SessionRollup', {
  metric: Type.Literal('sessions', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  totalSessions: Integer('Number of sessions that ended in the window.', 12),
  networkCount,
  networks: networksOf({ unit: Type.Literal('sessions', { description: 'Unit of the values.' }), ...sums }),
});

export const Utilization = Named('UtilizationRollup', {
  metric: Type.Literal('utilization', { description: 'Name of the metric.' }),
  period: Period,
  ...window,
  averageUtilization: Decimal(
    'Average utilization of all connectors, in percent of their time, to 2 decimals.',
  ),
  networkCount,
  networks: networksOf({
    unit: Type.Literal('percent', { description: 'Unit of the values.' }),
    average: Decimal(
      "Average utilization of the network's connectors, in percent of their time, to 2 decimals.",
    ),
    buckets: Type.Array(
      Type.Object({
        date: BucketDate,
        value: Decimal('Utilization in percent, to 2 decimals.', 12.5),
        chargingHours: Decimal('Time charging of all connectors, in hours.'),
        connectorHours: Decimal('Time that the connectors existed, in hours.'),
      }),
      { description: 'Values by period.' },
    ),
  }),
});

const states = {
  totalChargers: Integer('Number of chargers, without decommissioned ones.'),
  available: Integer('Number of chargers that are online and Available.'),
  charging: Integer('Number of chargers that are online and in use.'),
  offline: Integer('Number of chargers that are not connected, or sent no message for 5 minutes.', 1),
};

export const Uptime = Named('UptimeSnapshot', {
  metric: Type.Literal('uptime', { description: 'Name of the metric.' }),
  ...states,
  uptimePercent: Decimal('Share of available and charging chargers in percent, to 1 decimal.'),
  offlinePercent: Decimal('Share of offline chargers in percent, to 1 decimal.'),
  networkCount,
  networks: Type.Array(
    Type.Object({
      networkId: Uuid('Network identifier.'),
      ...states,
      availablePercent: Decimal('Share of available chargers of the network in percent, to 1 decimal.'),
      inUsePercent: Decimal('Share of chargers in use in percent, to 1 decimal.'),
      offlinePercent: Decimal('Share of offline chargers in percent, to 1 decimal.'),
    }),
    { description: 'Values by network.' },
  ),
});

export const Kpis = Named('Kpis', {
  metric: Type.Literal('kpis', { description: 'Name of the metric.' }),
  ...window,
  totalSessions: Integer('Number of sessions that ended in the window.', 12),
  totalEnergyKwh: Decimal('Energy in kWh, to 2 decimals.', 150.25),
  ...revenueTotals,
  avgDurationMinutes: Decimal('Average duration of the ended sessions in minutes, to 1 decimal.'),
  networkCount,
});
