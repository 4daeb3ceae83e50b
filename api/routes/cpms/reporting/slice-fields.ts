import { type Static, Type } from 'typebox';
import { windowQuery } from '#api/routes/analytics-query.ts';
import { DateTime, Decimal, Integer, Named, Str, Text, Uuid } from '#api/routes/schema.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import type { Slice } from '#api/services/reporting/analytics-slice.ts';
import { addUp, averageMinutes, kilowattHours, money } from '#api/services/reporting/session-totals.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';

/** Rule of counting, for descriptions. */
export const counting =
  'A session counts at its end, with its current energy and price, amendments included, and seconds after it. Prices in ' +
  'review are excluded. `listOperatorSessions` returns the sessions behind a number with `counted=true` and the ' +
  'same `endedFrom`, `endedTo` and filters.';

/** Query that selects sessions by their end, charger and tariff. */
export const sliceQuery = {
  ...windowQuery,
  ...networkQuery,
  timeZone: Type.Optional(
    Text(
      64,
      'Time zone of the periods (IANA). Default: the time zone of the network; UTC for networks of several zones.',
      'Europe/Amsterdam',
    ),
  ),
  chargerId: Type.Optional(Uuid('Charger to filter by.')),
  locationId: Type.Optional(Uuid('Location to filter by: chargers that stand there now.')),
  modelId: Type.Optional(Uuid('Charger model to filter by.')),
};

/** Filter by tariff, for sums of sessions. */
export const tariffQuery = { tariffId: Type.Optional(Uuid('Tariff to filter by.')) };

type WithNetwork = { networkId?: string; networkUuid?: string };

/** Returns the query of the service. */
export function sliceQueryOf<Query extends WithNetwork>(query: Query) {
  const { networkId: _id, networkUuid: _uuid, ...rest } = query;
  return { ...rest, networkId: networkOf(query) };
}

/** Window and time zone of a response. */
export const sliceFields = {
  from: DateTime('Start of the window, inclusive.'),
  to: DateTime('End of the window, inclusive.'),
  timeZone: Str('Time zone of the periods (IANA).', 'Europe/Amsterdam'),
};

export function sliceView({ window, timeZone }: Slice) {
  return { from: window.from.toISOString(), to: window.to.toISOString(), timeZone };
}

const Revenue = Named('RevenueOfSlice', {
  currency: Str('Currency of the amounts (ISO 4217).', 'EUR'),
  totalInclVat: Decimal('Revenue with VAT, to 2 decimals.', 72.6),
  totalExclVat: Decimal('Revenue without VAT, to 2 decimals.', 60),
});

/** Sums of sessions. */
export const sumFields = {
  sessions: Integer('Number of sessions that ended.', 12),
  energyKwh: Decimal('Energy in kWh, to 2 decimals.', 181.5),
  revenue: Type.Array(Revenue, { description: 'Revenue by currency. Empty without a priced session.' }),
};

/** Means of sessions. */
export const meanFields = {
  meanEnergyKwh: Decimal('Energy of a session on average in kWh.', 15.13),
  meanMinutes: Decimal('Duration of a session on average in minutes.', 42.5),
  unpricedSessions: Integer('Number of sessions without a price.', 0),
};

type Summed = Omit<SessionSums, 'networkId' | 'bucket'>;

const inBucket = (sums: readonly Summed[]): SessionSums[] =>
  sums.map((sum) => ({ ...sum, networkId: 0, bucket: 0 }));

export function sumsView(sums: readonly Summed[]): Static<ReturnType<typeof Type.Object<typeof sumFields>>> {
  const { sessions, energyMilliWh } = addUp(inBucket(sums));
  const priced = sums.filter(({ pricedSessions }) => pricedSessions > 0);
  const currencies = [...Map.groupBy(priced, ({ currency }) => currency)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    sessions,
    energyKwh: kilowattHours(energyMilliWh),
    revenue: currencies.map(([currency, same]) => {
      const { inclVatMinor, exclVatMinor } = addUp(inBucket(same));
      return {
        currency,
        totalInclVat: money(inclVatMinor, currency),
        totalExclVat: money(exclVatMinor, currency),
      };
    }),
  };
}

export function meansView(sums: readonly Summed[]) {
  const totals = addUp(inBucket(sums));
  const { sessions, pricedSessions, energyMilliWh } = totals;
  return {
    meanEnergyKwh: sessions === 0 ? 0 : kilowattHours(energyMilliWh / sessions),
    meanMinutes: averageMinutes(totals),
    unpricedSessions: sessions - pricedSessions,
  };
}

/** Returns hours to 2 decimals. */
export function hours(ms: number): number {
  return Math.round(ms / 36_000) / 100;
}
