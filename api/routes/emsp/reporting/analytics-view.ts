import { type Static, Type } from 'typebox';
import { BucketDate, Period, window, windowView } from '#api/routes/analytics-query.ts';
import { Decimal, Integer, Nullable, Str } from '#api/routes/schema.ts';
import type { Analytics } from '#api/services/reporting/analytics.service.ts';
import {
  addUp,
  averageMinutes,
  averageMoney,
  byDate,
  currenciesOf,
  headlineCurrency,
  inCurrency,
  kilowattHours,
  money,
  type NetworkSums,
  type Totals,
} from '#api/services/reporting/session-totals.ts';

const averages = {
  averageDurationMinutes: Decimal('Average duration in minutes, to 1 decimal. 0 without sessions.'),
  averageEnergyKwh: Decimal('Average energy in kWh, to 2 decimals. 0 without sessions.', 12.52),
};

export const SessionAnalytics = Type.Object(
  {
    period: Period,
    ...window,
    totalSessions: Integer('Number of sessions that ended in the window.', 12),
    ...averages,
    series: Type.Array(
      Type.Object({
        date: BucketDate,
        sessions: Integer('Number of sessions.', 12),
        ...averages,
      }),
      { description: 'Values by period.' },
    ),
  },
  { title: 'SessionAnalytics', description: 'The ended sessions, in total and by period.' },
);

export const EnergyAnalytics = Type.Object(
  {
    period: Period,
    ...window,
    totalEnergyKwh: Decimal('Energy of the sessions in kWh, to 2 decimals.', 150.25),
    totalSessions: Integer('Number of sessions that ended in the window.', 12),
    averageEnergyKwh: averages.averageEnergyKwh,
    series: Type.Array(
      Type.Object({
        date: BucketDate,
        energyKwh: Decimal('Energy in kWh.', 12.5),
        sessions: Integer('Number of sessions.', 12),
      }),
      { description: 'Values by period.' },
    ),
  },
  { title: 'EnergyAnalytics', description: 'The energy of the ended sessions, in total and by period.' },
);

const amounts = {
  revenue: Decimal('Revenue with VAT.', 72.6),
  revenueExclVat: Decimal('Revenue without VAT, in the major unit of the currency.', 60),
  sessions: Integer('Number of sessions with a price.', 12),
};

export const RevenueAnalytics = Type.Object(
  {
    period: Period,
    ...window,
    currency: Nullable(
      Str('Currency of `totalRevenue` and `averageRevenue` (ISO 4217). Null without networks.', 'EUR'),
    ),
    totalRevenue: Decimal('Revenue in `currency`, VAT included, to 2 decimals.', 72.6),
    averageRevenue: Decimal(
      'Average revenue of a priced session in `currency`, VAT included. 0 without any.',
    ),
    unpricedSessions: Integer('Number of sessions without a tariff or with a pending price.'),
    currencies: Type.Array(
      Type.Object({
        currency: Str(
          'Currency of the amounts (ISO 4217), which are in its major unit, to 2 decimals.',
          'EUR',
        ),
        totalRevenue: amounts.revenue,
        totalRevenueExclVat: amounts.revenueExclVat,
        sessions: amounts.sessions,
        averageRevenue: Decimal('Average revenue of a session with VAT. 0 without sessions.'),
        series: Type.Array(Type.Object({ date: BucketDate, ...amounts }), {
          description: 'Values by period.',
        }),
      }),
      { description: 'Revenue by currency.' },
    ),
  },
  { title: 'RevenueAnalytics', description: 'The cost of the ended sessions, in total and by period.' },
);

export function sessionsView({
  period,
  networks,
  ...times
}: Analytics<NetworkSums>): Static<typeof SessionAnalytics> {
  const totals = total(networks);
  return {
    period,
    ...windowView(times),
    totalSessions: totals.sessions,
    ...averagesOf(totals),
    series: byDate(networks).map(({ date, ...dated }) => ({
      date,
      sessions: dated.sessions,
      ...averagesOf(dated),
    })),
  };
}

export function energyView({
  period,
  networks,
  ...times
}: Analytics<NetworkSums>): Static<typeof EnergyAnalytics> {
  const totals = total(networks);
  return {
    period,
    ...windowView(times),
    totalEnergyKwh: kilowattHours(totals.energyMilliWh),
    totalSessions: totals.sessions,
    averageEnergyKwh: averagesOf(totals).averageEnergyKwh,
    series: byDate(networks).map(({ date, energyMilliWh, sessions }) => ({
      date,
      energyKwh: kilowattHours(energyMilliWh),
      sessions,
    })),
  };
}

export function revenueView(
  { period, networks, ...times }: Analytics<NetworkSums>,
  requested: string | undefined,
): Static<typeof RevenueAnalytics> {
  const { sessions, pricedSessions } = total(networks);
  const currencies = currenciesOf(networks).map((currency) => revenueIn(networks, currency));
  const headline = headlineCurrency(networks, requested);
  const headed = currencies.find(({ currency }) => currency === headline);
  return {
    period,
    ...windowView(times),
    currency: headline,
    totalRevenue: headed?.totalRevenue ?? 0,
    averageRevenue: headed?.averageRevenue ?? 0,
    unpricedSessions: sessions - pricedSessions,
    currencies,
  };
}

function revenueIn(networks: readonly NetworkSums[], currency: string) {
  const own = inCurrency(networks, currency);
  const totals = total(own);
  const { revenue, revenueExclVat, sessions } = amountsOf(totals, currency);
  return {
    currency,
    totalRevenue: revenue,
    totalRevenueExclVat: revenueExclVat,
    sessions,
    averageRevenue: averageMoney(totals.inclVatMinor, sessions, currency),
    series: byDate(own).map(({ date, ...dated }) => ({ date, ...amountsOf(dated, currency) })),
  };
}

function total(networks: readonly NetworkSums[]): Totals {
  return addUp(networks.flatMap(({ sums }) => sums));
}

function averagesOf(totals: Totals) {
  const { energyMilliWh, sessions } = totals;
  return {
    averageDurationMinutes: averageMinutes(totals),
    averageEnergyKwh: sessions === 0 ? 0 : kilowattHours(energyMilliWh / sessions),
  };
}

function amountsOf({ inclVatMinor, exclVatMinor, pricedSessions }: Totals, currency: string) {
  return {
    revenue: money(inclVatMinor, currency),
    revenueExclVat: money(exclVatMinor, currency),
    sessions: pricedSessions,
  };
}
