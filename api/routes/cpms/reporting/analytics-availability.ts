import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Decimal, Integer, limitUpTo, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type Availability,
  availabilityKinds,
  availableShare,
  maxAvailabilityDays,
  observedMs,
  readAvailability,
} from '#api/services/reporting/availability.service.ts';
import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { hours, sliceFields, sliceQuery, sliceQueryOf, sliceView } from './slice-fields.ts';

const StateShare = Named('StateShare', {
  state: OneOf(
    chargerStates,
    'State of a connector. Without a socket it is `offline`, whatever it reported.',
  ),
  hours: Decimal('Time of all connectors in this state, in hours.', 120.5),
  percent: Decimal('Share of the observed time in percent, to 2 decimals.', 71.3),
});

const fields = {
  availabilityPercent: Nullable(
    Decimal(
      'Share of the observed time in which connectors were available, occupied or reserved, in percent, to 2 decimals. ' +
        'Null without a report.',
      98.2,
    ),
  ),
  observedHours: Decimal('Time of all connectors with a known state.', 744),
  states: Type.Array(StateShare, { description: 'Time by state.' }),
  faults: Integer('Number of faults that began in the window.', 3),
  faultHours: Decimal('Time for which faults were reported, also while offline, in hours.', 4.5),
};

const Group = Named('AvailabilityGroup', {
  id: Nullable(Uuid('Identifier of the location, charger, model or network. Null: chargers without one.')),
  name: Nullable(Str('Name, or OCPP identity of a charger.', 'Harbour')),
  detail: Nullable(
    Str('City of a location, manufacturer of a model, location of a charger. Null for others.', 'Rotterdam'),
  ),
  ...fields,
});

const FaultCode = Named('FaultCode', {
  code: Nullable(Str('Error code that the charger reported. Null: none.', 'GroundFailure')),
  faults: Integer('Number of faults that began in the window.', 3),
  hours: Decimal('Time of these faults in hours.', 4.5),
});

const by = OneOf(availabilityKinds, 'Record by which connectors are grouped.');

const Report = Named('AnalyticsAvailability', {
  ...sliceFields,
  by,
  totals: Type.Object(fields, { description: 'All connectors.' }),
  groupCount: Integer('Number of all groups.', 150),
  groups: Type.Array(Group, { description: 'The first groups in the order of their availability.' }),
  faultCodes: Type.Array(FaultCode, { description: 'The 20 most frequent error codes of faults.' }),
});

/** Registers the route of the states and faults of chargers. */
export function analyticsAvailabilityRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /analytics/availability', 'cpms:read:analytics', {
    operationId: 'getAnalyticsAvailability',
    summary: 'Get the availability and the faults of connectors',
    description:
      `Time counts until now, and a connector from its first report in the window or the 31 days before it. At most ${maxAvailabilityDays} days. ` +
      'A time without a socket counts as `offline` and not as the state that was reported before it.',
    querystring: Type.Object({
      ...sliceQuery,
      by: Type.Optional({ ...by, default: 'location' as const }),
      order: Type.Optional({
        ...OneOf(['asc', 'desc'], 'Order: `asc` for the lowest availability first.'),
        default: 'asc' as const,
      }),
      limit: limitUpTo(1000, 50, 'groups'),
    }),
    response: {
      200: Envelope(Report, 'Availability in the window.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const { by: kind = 'location', order = 'asc', limit = 50, ...rest } = sliceQueryOf(request.query);
      const found = await readAvailability(deps, callerOf(request), { ...rest, by: kind, order, limit });
      return success({
        ...sliceView(found.slice),
        by: kind,
        totals: availabilityView(found.totals),
        groupCount: found.groupCount,
        groups: found.groups.map((group) => ({
          id: group.record?.uuid ?? null,
          name: group.record?.name ?? null,
          detail: group.record?.detail ?? null,
          ...availabilityView(group),
        })),
        faultCodes: found.codes.map(({ code, faults, ms }) => ({
          code: code === '' ? null : code,
          faults,
          hours: hours(ms),
        })),
      });
    },
  });
}

const percent = (share: number) => Math.round(share * 10_000) / 100;

function availabilityView({ times, faults, faultMs }: Availability) {
  const observed = observedMs(times);
  return {
    availabilityPercent: observed === 0 ? null : percent(availableShare(times)),
    observedHours: hours(observed),
    states: chargerStates.map((state) => ({
      state,
      hours: hours(times[state]),
      percent: observed === 0 ? 0 : percent(times[state] / observed),
    })),
    faults,
    faultHours: hours(faultMs),
  };
}
