import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Decimal,
  Formed,
  Integer,
  limitUpTo,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  breakdownKinds,
  breakdownSorts,
  type FactSum,
  readBreakdown,
} from '#api/services/reporting/breakdown.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import {
  counting,
  hours,
  meanFields,
  meansView,
  sliceFields,
  sliceQuery,
  sliceQueryOf,
  sliceView,
  sumFields,
  sumsView,
  tariffQuery,
} from './slice-fields.ts';

const fields = {
  ...sumFields,
  ...meanFields,
  chargingHours: Decimal('Duration of the sessions without idle time, in hours.', 31.2),
};

const Group = Named('BreakdownGroup', {
  id: Nullable(
    Uuid('Identifier of the location, model, tariff, charger or network. Null: sessions without one.'),
  ),
  name: Nullable(Str('Name, or OCPP identity of a charger.', 'Harbour')),
  detail: Nullable(
    Str('City of a location, manufacturer of a model, location of a charger. Null for others.', 'Rotterdam'),
  ),
  ...fields,
});

const by = OneOf(breakdownKinds, 'Record by which sessions are grouped.');
const currency = Nullable(
  Str('Currency in which revenue orders the groups (ISO 4217). Null: the caller has no network.', 'EUR'),
);

const Breakdown = Named('AnalyticsBreakdown', {
  ...sliceFields,
  by,
  currency,
  groupCount: Integer('Number of all groups.', 150),
  totals: Type.Object(fields, { description: 'Sums of all groups.' }),
  groups: Type.Array(Group, { description: 'The first groups in the order.' }),
});

/** Registers the route of sums by location, model, tariff, charger or network. */
export function analyticsBreakdownRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /analytics/breakdown', 'cpms:read:analytics', {
    operationId: 'getAnalyticsBreakdown',
    summary: 'Get energy, revenue and sessions by location, model, tariff, charger or network',
    description: `${counting} Location and model are those that the charger has now. Records without a session in the window are omitted.`,
    querystring: Type.Object({
      ...sliceQuery,
      ...tariffQuery,
      by,
      sort: Type.Optional({
        ...OneOf(breakdownSorts, 'Value by which groups are ordered.'),
        default: 'revenue' as const,
      }),
      order: Type.Optional({
        ...OneOf(['desc', 'asc'], 'Order: `desc` for the highest first, `asc` for the lowest.'),
        default: 'desc' as const,
      }),
      limit: limitUpTo(1000, 50, 'groups'),
      currency: Type.Optional(
        Formed('three letters (ISO 4217)', '^[A-Za-z]{3}$', {
          description:
            'Currency in which revenue orders the groups. Default: the currency of the most priced sessions. The response ' +
            'lists every currency in any case.',
          examples: ['EUR'],
        }),
      ),
    }),
    response: {
      200: Envelope(Breakdown, 'Groups of the window.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const { sort = 'revenue', order = 'desc', limit = 50, ...rest } = sliceQueryOf(request.query);
      const found = await readBreakdown(deps, callerOf(request), { ...rest, sort, order, limit });
      return success({
        ...sliceView(found.slice),
        by: request.query.by,
        currency: found.currency,
        groupCount: found.groupCount,
        totals: fieldsView(found.sums),
        groups: found.groups.map(({ record, sums }) => ({
          id: record?.uuid ?? null,
          name: record?.name ?? null,
          detail: record?.detail ?? null,
          ...fieldsView(sums),
        })),
      });
    },
  });
}

function fieldsView(sums: readonly FactSum[]) {
  return {
    ...sumsView(sums),
    ...meansView(sums),
    chargingHours: hours(sums.reduce((total, { chargingMs }) => total + chargingMs, 0)),
  };
}
