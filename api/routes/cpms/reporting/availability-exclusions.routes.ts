import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Integer,
  isoOrNull,
  limitUpTo,
  Lines,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  periodOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeExclusion,
  deleteExclusion,
  enterExclusion,
  type ExclusionRecord,
  exclusions,
  type ProposedExclusion,
  readExclusions,
  readProposals,
} from '#api/services/reporting/availability-exclusions.service.ts';
import { exclusionCauses, maxExclusionDays } from '#shared/domain/reporting/availability/exclusion.ts';

const Cause = OneOf(
  exclusionCauses,
  'Cause of the outage. maintenance: planned works. grid: failure of the power supply. customer: misuse by a driver, such as ' +
    'a blocked connector. Regulators and contracts exclude some of them.',
);

const details = {
  cause: Cause,
  beginsAt: DateTime('Begin, inclusive. Planned maintenance may begin in the future.'),
  endsAt: DateTime(`End, exclusive; at most ${maxExclusionDays} days after the begin.`),
  reason: Lines(
    1000,
    'Facts that justify the exclusion, for audits.',
    'Failure of the grid, ticket 4711 of the grid operator',
  ),
};

const targets = {
  locationId: Nullable(Uuid('Location whose EVSEs are concerned. Null: see `chargerId`.')),
  chargerId: Nullable(Uuid('Charger whose EVSEs are concerned. Null: see `locationId`.')),
  chargerUid: Nullable(Str('OCPP identity of the charger. Null without one.', 'QUAY-1')),
  evseNumber: Nullable(Integer('EVSE of the charger. Null: all of them.', 1)),
};

const Exclusion = Named('AvailabilityExclusion', {
  id: Uuid('Exclusion identifier.'),
  networkId: NetworkNumber,
  ...targets,
  ...details,
  alertId: Nullable(Uuid('Alert that showed the outage. Null: none.')),
  createdBy: Nullable(Str('Operator or API key that entered it.', 'Ada Operator')),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

const NewExclusion = Type.Object(
  {
    locationId: Type.Optional(Uuid('Location whose EVSEs are concerned.')),
    chargerId: Type.Optional(Uuid('Charger whose EVSEs are concerned.')),
    evseNumber: Type.Optional(
      Integer('EVSE of the charger. Default: all of them.', 1, { minimum: 1, maximum: 1000 }),
    ),
    ...details,
    alertId: Type.Optional(Uuid('Alert that showed the outage.')),
  },
  { additionalProperties: false, description: 'Either `locationId` or `chargerId` is required.' },
);

const ExclusionEdit = Closed({
  cause: Type.Optional(details.cause),
  beginsAt: Type.Optional(details.beginsAt),
  endsAt: Type.Optional(details.endsAt),
  reason: details.reason,
});

const Proposal = Named('ProposedExclusion', {
  alertId: Uuid('Alert that shows the outage.'),
  kind: Str('Kind of the alert.', 'charger-offline'),
  message: Str('Message of the alert.', 'QUAY-1 is offline.'),
  ...targets,
  cause: Nullable({ ...Cause, description: 'Cause that the alert suggests. Null: the operator decides.' }),
  beginsAt: DateTime('Begin of the outage.'),
  endsAt: Nullable(DateTime('End of the outage. Null: the alert is not resolved.')),
});

function view(record: ExclusionRecord): Static<typeof Exclusion> {
  const { uuid, networkId, locationUuid, chargerUuid, chargerUid, evseNumber, cause, reason } = record;
  return {
    id: uuid,
    networkId,
    locationId: locationUuid,
    chargerId: chargerUuid,
    chargerUid,
    evseNumber,
    cause,
    reason,
    beginsAt: record.beginsAt.toISOString(),
    endsAt: record.endsAt.toISOString(),
    alertId: record.alertUuid,
    createdBy: record.createdBy,
    version: record.version,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

function proposalView(proposal: ProposedExclusion): Static<typeof Proposal> {
  const { alertUuid, kind, message, locationUuid, chargerUuid, chargerUid, evseNumber, cause } = proposal;
  return {
    alertId: alertUuid,
    kind,
    message,
    locationId: locationUuid,
    chargerId: chargerUuid,
    chargerUid,
    evseNumber,
    cause,
    beginsAt: proposal.beginsAt.toISOString(),
    endsAt: isoOrNull(proposal.endsAt),
  };
}

const answerOf = (record: ExclusionRecord) => [record, view(record)] as const;

/** Registers the routes of outages that do not count. */
export function availabilityExclusionRoutes(app: App, deps: ApiDeps): void {
  const resource = new VersionedResource(app, {
    path: '/availability-exclusions',
    name: 'Exclusion',
    scopes: { read: 'cpms:read:analytics', write: 'cpms:write:chargers' },
    notFound: 'AVAILABILITY_EXCLUSION_NOT_FOUND',
  });

  operation(app, 'GET /availability-exclusions', 'cpms:read:analytics', {
    operationId: 'listAvailabilityExclusions',
    summary: 'List excluded outages, the latest entry first',
    description: 'Exclusions that overlap the period `from` to `to`, past and planned ones.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      chargerId: Type.Optional(Uuid('Charger of the exclusions.')),
      locationId: Type.Optional(Uuid('Location of the exclusions.')),
      cause: Type.Optional(Cause),
      from: Type.Optional(DateTime('Begin of the period.')),
      to: Type.Optional(DateTime('End of the period.')),
    }),
    response: {
      200: CursorEnvelope(Exclusion, 'One page of exclusions.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { chargerId, locationId, cause } = request.query;
      const { rows, nextCursor } = await readExclusions(deps, callerOf(request), {
        ...cursorOf(request.query),
        ...periodOf(request.query),
        networkUuid: networkOf(request.query),
        chargerUuid: chargerId,
        locationUuid: locationId,
        cause,
      });
      return successSlice(rows.map(view), nextCursor);
    },
  });

  operation(app, 'GET /availability-exclusions/proposals', 'cpms:read:alerts', {
    operationId: 'listProposedExclusions',
    summary: 'List outages of alerts that no exclusion covers, newest first',
    description:
      'Alerts of offline and faulted chargers, connectors and locations, and of tampering. An exclusion is entered with ' +
      '`POST /availability-exclusions`; nothing is excluded without an operator.',
    querystring: Type.Object({
      ...networkQuery,
      from: DateTime('Begin of the period.'),
      to: DateTime('End of the period.'),
      limit: limitUpTo(500, 100, 'proposals'),
    }),
    response: {
      200: Envelope(Type.Array(Proposal), 'The proposals.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { from, to, limit = 100 } = request.query;
      const period = { from: new Date(from), to: new Date(to) };
      const query = { ...period, networkUuid: networkOf(request.query), limit };
      return success((await readProposals(deps, callerOf(request), query)).map(proposalView));
    },
  });

  resource.get({
    operationId: 'getAvailabilityExclusion',
    summary: 'Get an excluded outage',
    description: 'Its changes are in the audit log.',
    answer: [Exclusion, 'The exclusion.'],
    read: async (caller, uuid) => answerOf(await exclusions.require(deps.sql, caller.networks, uuid)),
  });

  resource.post({
    operationId: 'createAvailabilityExclusion',
    summary: 'Exclude an outage of a location, a charger or an EVSE',
    description:
      'An EVSE has one cause at a time: an overlapping exclusion answers 409. A regulator or contract decides whether the cause counts.',
    body: NewExclusion,
    answer: [Exclusion, 'The entered exclusion.'],
    errors: ['CHARGER_NOT_FOUND', 'LOCATION_NOT_FOUND', 'AVAILABILITY_EXCLUSION_OVERLAPS'],
    create: async (by, { locationId, chargerId, alertId, beginsAt, endsAt, ...body }) =>
      answerOf(
        await enterExclusion(deps, by, {
          ...body,
          locationUuid: locationId,
          chargerUuid: chargerId,
          alertUuid: alertId,
          beginsAt: new Date(beginsAt),
          endsAt: new Date(endsAt),
        }),
      ),
  });

  resource.patch({
    operationId: 'updateAvailabilityExclusion',
    summary: 'Update an excluded outage',
    description: 'Omitted fields stay. `reason` is required, and the audit log has the earlier one.',
    body: ExclusionEdit,
    answer: [Exclusion, 'The exclusion after the change.'],
    errors: ['AVAILABILITY_EXCLUSION_OVERLAPS'],
    change: async (by, uuid, expected, { cause, reason, beginsAt, endsAt }) => {
      const { from, to } = periodOf({ ...(beginsAt && { from: beginsAt }), ...(endsAt && { to: endsAt }) });
      const change = { cause, reason, beginsAt: from, endsAt: to };
      return answerOf(await changeExclusion(deps, by, uuid, expected, change));
    },
  });

  resource.delete({
    operationId: 'deleteAvailabilityExclusion',
    summary: 'Delete an excluded outage',
    description: 'Reports count its outage from now on. The audit log keeps it.',
    answer: 'The exclusion is deleted.',
    remove: async (by, uuid, expected) => deleteExclusion(deps, by, uuid, expected),
  });
}
