import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  Decimal,
  Integer,
  isoOrNull,
  kilo,
  Named,
  Nullable,
  Str,
  Text,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { addUp, kilowattHours, money } from '#api/services/reporting/session-totals.ts';
import { type DayFigures, type DayPart, readToday } from '#api/services/reporting/today.service.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Revenue = Named('RevenueOfPart', {
  currency: Str('Currency of the amounts (ISO 4217).', 'EUR'),
  totalInclVat: Decimal('Revenue with VAT, to 2 decimals.', 72.6),
  totalExclVat: Decimal('Revenue without VAT, to 2 decimals.', 60),
});

const Part = Named('DayPart', {
  from: DateTime('Start of the part.'),
  to: DateTime('End of the part, exclusive.'),
  startedSessions: Integer('Number of sessions that started.', 14),
  endedSessions: Integer('Number of sessions that ended.', 12),
  energyKwh: Decimal('Energy in kWh of the sessions that ended, to 2 decimals.', 181.5),
  revenue: Type.Array(Revenue, { description: 'Revenue of the sessions that ended, by currency.' }),
});

const Charged = Named('ChargedSoFar', {
  sessions: Integer(
    'Number of sessions that charged, running sessions included and sessions in review excluded.',
    21,
  ),
  energyKwh: Decimal('Energy in kWh that these sessions charged in `soFar`, by their readings.', 190.4),
  inReviewSessions: Integer(
    'Number of sessions in review that charged. They are excluded from `sessions` and `energyKwh`.',
    3,
  ),
});

const Day = (description: string) =>
  Type.Object(
    {
      date: Str('Local date.', '2026-01-31', { format: 'date' }),
      soFar: Part,
      charged: Charged,
      endedInReview: Integer(
        'Number of sessions that ended in `soFar` and whose price is in review. `soFar` leaves them out.',
        3,
      ),
      hours: Type.Array(Part, {
        description: 'Hours from the start of the day. Today: until now. Other days: the whole day.',
      }),
    },
    { description },
  );

const Running = Type.Object(
  {
    sessions: Integer('Number of running sessions.', 9),
    powerKw: Decimal('Sum of the latest reported powers in kW that are at most 15 minutes old.', 84.2),
    measuredSessions: Integer('Number of sessions in that sum.', 8),
    oldestAt: Nullable(DateTime('Time of the oldest power in the sum. Null without one.')),
    newestAt: Nullable(DateTime('Time of the newest power in the sum. Null without one.')),
  },
  { description: 'Running sessions. Powers are stored at most 2 seconds after the charger reported them.' },
);

const Today = Named('TodayFigures', {
  now: DateTime('Time of the figures.'),
  timeZone: Str('Time zone of the days (IANA).', 'Europe/Amsterdam'),
  running: Running,
  today: Day('Today, until now.'),
  yesterday: Day('Yesterday. `soFar` ends when the clock showed the same time as now.'),
  lastWeek: Day('The same day of the week before. `soFar` ends when the clock showed the same time as now.'),
});

/** Registers the route of the figures of today. */
export function todayRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /analytics/today', 'cpms:read:analytics', {
    operationId: 'getToday',
    summary: 'Get the figures of today alongside yesterday and a week ago',
    description:
      '`charged` is the energy of the day by readings, running sessions included. Energy and revenue of the parts are ' +
      'counted when a session ends, a few seconds later, as in the other analytics. They exclude sessions in review.',
    querystring: Type.Object({
      ...networkQuery,
      timeZone: Type.Optional(
        Text(
          64,
          'Time zone of the days (IANA). Default: the time zone of the network; UTC for networks of several zones.',
          'Europe/Amsterdam',
        ),
      ),
    }),
    response: {
      200: Envelope(Today, 'The figures.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const query = { networkId: networkOf(request.query), timeZone: request.query.timeZone };
      const { now, timeZone, running, ...days } = await readToday(deps, callerOf(request), query);
      return success({
        now: now.toISOString(),
        timeZone,
        running: {
          sessions: running.sessions,
          powerKw: kilo(running.powerW),
          measuredSessions: running.measured,
          oldestAt: isoOrNull(running.oldestAt),
          newestAt: isoOrNull(running.newestAt),
        },
        today: dayView(days.today),
        yesterday: dayView(days.yesterday),
        lastWeek: dayView(days.lastWeek),
      });
    },
  });
}

function dayView({ date, soFar, charged, endedInReview, hours }: DayFigures) {
  const { sessions, energyWh, inReview } = charged;
  return {
    date,
    soFar: partView(soFar),
    charged: { sessions, energyKwh: kilo(energyWh), inReviewSessions: inReview },
    endedInReview,
    hours: hours.map(partView),
  };
}

function partView({ from, to, started, sums }: DayPart): Static<typeof Part> {
  const { sessions, energyMilliWh } = addUp(sums);
  const priced = sums.filter(({ pricedSessions }) => pricedSessions > 0);
  const currencies = [...Map.groupBy(priced, ({ currency }) => currency)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    startedSessions: started,
    endedSessions: sessions,
    energyKwh: kilowattHours(energyMilliWh),
    revenue: currencies.map(([currency, same]) => {
      const { inclVatMinor, exclVatMinor } = addUp(same);
      return {
        currency,
        totalInclVat: money(inclVatMinor, currency),
        totalExclVat: money(exclVatMinor, currency),
      };
    }),
  };
}
