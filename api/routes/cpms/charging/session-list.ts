import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Decimal,
  Flag,
  Integer,
  kilo,
  Named,
  Nullable,
  OneOf,
  periodOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import {
  listOperatorSessions,
  type OperatorSessionQuery,
  readsDrivers,
  summarizeOperatorSessions,
} from '#api/services/charging/operator-sessions.ts';
import { costSums, priceStates } from '#api/services/charging/session-cost.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { wrongParameter } from '#api/services/kernel/validation.service.ts';
import {
  newestSessionsFirst,
  type SessionOrder,
  sessionSorts,
} from '#shared/domain/charging/session-order.ts';
import { sessionStatuses } from '#shared/domain/charging/session.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { endsOf, endsQuery } from './session-ends-query.ts';
import { anonymousItem, SessionItem, sessionItem } from './session-view.ts';

const EnergyKwh = (description: string) =>
  Type.Optional(Decimal(description, 20, { minimum: 0, maximum: 1_000_000 }));

const filterQuery = {
  ...networkQuery,
  search: Type.Optional(
    Text(
      100,
      'Text to search for: a token, an OCPP transaction identifier, the OCPP identity of a charger, the e-mail ' +
        'address of a driver (with the scope `cpms:read:users`), or at least the first 4 characters of a session ' +
        'identifier. Case is ignored, except in transaction identifiers.',
      '04A1B2C3D4E5F6',
    ),
  ),
  status: Type.Optional(OneOf(sessionStatuses, 'Session status to filter by.')),
  chargerId: Type.Optional(Uuid('Charger identifier.')),
  connectorId: Type.Optional(Uuid('Connector identifier.')),
  locationId: Type.Optional(Uuid('Location to filter by.')),
  userId: Type.Optional(Uuid('Driver to filter by.')),
  idTag: Type.Optional(Text(longestIdTokenLimit, 'Token to filter by.', '04A1B2C3D4E5F6')),
  flag: Type.Optional(Text(64, 'Flag to filter by, such as `corrected`.')),
  priceState: Type.Optional(
    OneOf(priceStates, 'Price state to filter by. REVIEW selects prices that await an operator.'),
  ),
  inReview: Type.Optional(Flag('True selects sessions whose price awaits an operator, false the others.')),
  running: Type.Optional(Flag('True selects running sessions, false the others.')),
  duringFrom: Type.Optional(
    DateTime('Start of a window, inclusive. Selects sessions that charged in it. Requires `duringTo`.'),
  ),
  duringTo: Type.Optional(DateTime('End of the window, exclusive. Requires `duringFrom`.')),
  withoutTariff: Type.Optional(Flag('True selects sessions without a tariff, false those with one.')),
  minEnergyKwh: EnergyKwh('Lowest energy in kWh, inclusive.'),
  maxEnergyKwh: EnergyKwh('Highest energy in kWh, inclusive.'),
  from: Type.Optional(DateTime('Earliest start, inclusive.')),
  to: Type.Optional(DateTime('Latest start, inclusive.')),
  ...endsQuery,
};

/** Names of orders: ascending, and descending with a minus. */
const sorts = sessionSorts.flatMap((sort) => [sort, `-${sort}`] as const);

const sortQuery = Type.Optional(
  OneOf(
    sorts,
    'Order of the list; a minus means descending. Default: `-startedAt`. Running sessions and those without a ' +
      'price count as costing less than 0 in `cost`. An order other than by start reads all sessions that ' +
      'match: narrow it by a period.',
  ),
);

const CostSum = Named('SessionCostSum', {
  currency: Str('Currency of the amounts (ISO 4217).', 'EUR'),
  pricedCount: Integer('Number of sessions with a price that is not in review.', 118),
  totalInclVat: Decimal('Sum of those prices with VAT, in the major unit of the currency.', 1406.5),
  inReviewInclVat: Decimal('Sum of the prices in review with VAT, which is not in `totalInclVat`.', 365),
});

const Summary = Named('SessionListSummary', {
  count: Integer('Number of sessions.', 120),
  runningCount: Integer('Number of sessions that are running.', 1),
  inReviewCount: Integer('Number of sessions whose price awaits an operator.', 1),
  energyKwh: Decimal('Energy in kWh, including the energy of running sessions so far.', 2812.4),
  energyDuringKwh: Nullable(
    Decimal(
      'Energy in kWh that the sessions charged from `duringFrom` to `duringTo`, by their readings. Null without a window.',
      2790.1,
    ),
  ),
  costs: Type.Array(CostSum, { description: 'Sums of the prices by currency. Running sessions have none.' }),
});

const Filter = Type.Object(filterQuery);

const wattHours = (kwh: number | undefined) => (kwh === undefined ? undefined : kwh * 1000);

function duringOf({ duringFrom, duringTo }: Static<typeof Filter>): OperatorSessionQuery['during'] {
  if (duringFrom === undefined && duringTo === undefined) return undefined;
  if (duringFrom === undefined) throw wrongParameter('duringFrom', 'is required with duringTo');
  if (duringTo === undefined) throw wrongParameter('duringTo', 'is required with duringFrom');
  return { from: new Date(duringFrom), to: new Date(duringTo) };
}

function queryOf(query: Static<typeof Filter>): OperatorSessionQuery {
  const { chargerId, connectorId, locationId, userId, idTag, minEnergyKwh, maxEnergyKwh } = query;
  const { search, status, flag, priceState, withoutTariff } = query;
  return {
    networkUuid: networkOf(query),
    search,
    status,
    chargerUuid: chargerId,
    connectorUuid: connectorId,
    locationUuid: locationId,
    userUuid: userId,
    idToken: idTag,
    flag,
    priceState,
    withoutTariff,
    minEnergyWh: wattHours(minEnergyKwh),
    maxEnergyWh: wattHours(maxEnergyKwh),
    ...periodOf(query),
    isInReview: query.inReview,
    isRunning: query.running,
    during: duringOf(query),
    ends: endsOf(query),
  };
}

function orderOf(sort: (typeof sorts)[number] | undefined): SessionOrder {
  const by = sessionSorts.find((known) => sort?.endsWith(known));
  return by === undefined ? newestSessionsFirst : { by, isAscending: sort === by };
}

/** Registers the list of sessions for operators and its sums. */
export function sessionListRoutes(app: App, deps: ApiDeps): void {
  const list = CursorEnvelope(SessionItem, 'One page of sessions.');
  const pages = new SharedPages(list);

  operation(app, 'GET /sessions', 'cpms:read:sessions', {
    operationId: 'listOperatorSessions',
    summary: 'List sessions, newest first',
    description:
      'Values of running sessions change between two pages, so that a list ordered by energy can ' +
      'repeat or omit one; completed sessions keep their position.',
    querystring: Type.Object({ ...cursorQuery, sort: sortQuery, ...filterQuery }),
    response: {
      200: list,
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const query = queryOf(request.query);
      const order = orderOf(request.query.sort);
      const slice = cursorOf(request.query);
      const seesDrivers = readsDrivers(caller);
      return pages.send(request, reply, [caller.networks, caller.userId, seesDrivers], async () => {
        const { sessions, nextCursor } = await listOperatorSessions(deps, caller, query, order, slice);
        return successSlice(sessions.map(seesDrivers ? sessionItem : anonymousItem), nextCursor);
      });
    },
  });

  operation(app, 'GET /sessions/summary', 'cpms:read:sessions', {
    operationId: 'summarizeOperatorSessions',
    summary: 'Get the sums of the sessions that match a filter',
    description: 'Takes the same filters as `listOperatorSessions`.',
    querystring: Filter,
    response: {
      200: Envelope(Summary, 'Sums of the sessions.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const summary = await summarizeOperatorSessions(deps, callerOf(request), queryOf(request.query));
      const { costs, energyWh, energyDuringWh, ...counts } = summary;
      return success({
        ...counts,
        energyKwh: kilo(energyWh),
        energyDuringKwh: energyDuringWh === null ? null : kilo(energyDuringWh),
        costs: costSums(costs),
      });
    },
  });
}
