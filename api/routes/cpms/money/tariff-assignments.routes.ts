import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  idParams,
  Integer,
  isoOrNull,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import { TariffDocument, tariffDocumentView } from '#api/routes/tariff-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  assignmentLevels,
  type AssignmentRecord,
  assignTariff,
  type EffectiveTariff,
  endTariffAssignment,
  listOwnAssignments,
  readAssignment,
  readChargerTariffs,
} from '#api/services/money/tariff-assignments.service.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  Deleted,
  deletion,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const level = OneOf(assignmentLevels, 'Level of the assignment. The closest to the connector wins.');
const validity = {
  validFrom: Nullable(DateTime('Start of the assignment. Null: no bound.')),
  validUntil: Nullable(
    DateTime('End of the assignment. Null: until the next assignment on the same level begins.'),
  ),
};

const Assignment = Named('TariffAssignment', {
  id: Uuid('Tariff assignment identifier.'),
  tariffUuid: Uuid('Tariff identifier.'),
  tariffName: Str('Name of the tariff.', 'Standard'),
  networkId: NetworkNumber,
  level,
  locationUuid: Nullable(Uuid('Location that the tariff is assigned to. Null on other levels.')),
  chargerUuid: Nullable(
    Uuid("Charger that the tariff is assigned to, also of a connector's assignment. Null on other levels."),
  ),
  connectorUuid: Nullable(Uuid('Connector that the tariff is assigned to. Null on other levels.')),
  targetName: Str(
    "Name of the network or location, or uid of the charger, also of a connector's assignment.",
    'Harbour',
  ),
  connectorNumber: Nullable(Integer('Number of the connector. Null on other levels.', 1)),
  ...validity,
  createdAt: DateTime('Time of creation.'),
});

function assignmentView({ uuid, ...record }: AssignmentRecord): Static<typeof Assignment> {
  return {
    ...record,
    id: uuid,
    validFrom: isoOrNull(record.validFrom),
    validUntil: isoOrNull(record.validUntil),
    createdAt: record.createdAt.toISOString(),
  };
}

const NewAssignment = Type.Object(
  {
    tariffUuid: Uuid('Tariff identifier.'),
    networkUuid: Type.Optional(Uuid('Network to assign the tariff to.')),
    locationUuid: Type.Optional(Uuid('Location to assign the tariff to.')),
    chargerUuid: Type.Optional(Uuid('Charger to assign the tariff to.')),
    connectorUuid: Type.Optional(Uuid('Connector to assign the tariff to.')),
    validFrom: Type.Optional(DateTime('Start of the assignment. Default: now.')),
    validUntil: Type.Optional(
      DateTime('End of the assignment. Default: when the next assignment on the same level begins.'),
    ),
  },
  {
    additionalProperties: false,
    description: 'Tariff, and one network, location, charger or connector to assign it to.',
  },
);

const effective = {
  tariff: Type.Union([TariffDocument, Type.Null()], { description: 'Tariff that applies. Null: no price.' }),
  source: Type.Union(
    [Type.Object({ assignmentId: Uuid('Tariff assignment identifier.'), level, ...validity }), Type.Null()],
    {
      description: 'Assignment of the tariff. Null without a tariff.',
    },
  ),
};

const ChargerTariff = Named('ChargerTariff', {
  chargerId: Uuid('Charger identifier.'),
  at: DateTime('Time that the answer refers to.'),
  ...effective,
  connectors: Type.Array(
    Type.Object({
      connectorId: Nullable(Uuid('Connector identifier. Null when the connector is not stored.')),
      connectorNumber: Nullable(Integer('Connector number at the charger, starting at 1.', 1)),
      ...effective,
    }),
    { description: 'Connectors, ordered by number.' },
  ),
});

function effectiveView(found: EffectiveTariff | null) {
  if (found === null) return { tariff: null, source: null };
  const { tariff, assignmentUuid, level, validFrom, validUntil } = found;
  return {
    tariff: tariffDocumentView(tariff),
    source: {
      assignmentId: assignmentUuid,
      level,
      validFrom: isoOrNull(validFrom),
      validUntil: isoOrNull(validUntil),
    },
  };
}

const optionalDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Registers the routes of tariff assignments. */
export function tariffAssignmentRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /tariff-assignments', 'cpms:read:tariffs', {
    operationId: 'listTariffAssignments',
    summary: 'List tariff assignments with those that ended, oldest first',
    description:
      '`at` selects the assignments in effect at that time. Other filters select by tariff or by the target ' +
      'of the assignment.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      tariffUuid: Type.Optional(Uuid('Tariff identifier.')),
      locationUuid: Type.Optional(Uuid('Location to filter by.')),
      chargerUuid: Type.Optional(Uuid('Charger to filter by, with the assignments of its connectors.')),
      connectorUuid: Type.Optional(Uuid('Connector identifier.')),
      at: Type.Optional(DateTime('Time at which the assignments apply.')),
    }),
    response: {
      200: CursorEnvelope(Assignment, 'One page of assignments.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { query } = request;
      const filter = { ...query, networkUuid: networkOf(query), at: optionalDate(query.at) };
      const { rows, nextCursor } = await listOwnAssignments(deps, callerOf(request), filter, cursorOf(query));
      return successSlice(rows.map(assignmentView), nextCursor);
    },
  });

  operation(app, 'GET /tariff-assignments/:uuid', 'cpms:read:tariffs', {
    operationId: 'getTariffAssignment',
    summary: 'Get a tariff assignment',
    description:
      'A tariff with the network, location, charger or connector that it applies to, and its period.',
    params: idParams('Tariff assignment'),
    response: {
      200: Envelope(Assignment, 'The assignment.'),
      ...cpmsErrors('TARIFF_ASSIGNMENT_NOT_FOUND'),
    },
    handler: async (request) =>
      success(assignmentView(await readAssignment(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'POST /tariff-assignments', 'cpms:write:tariffs', {
    operationId: 'createTariffAssignment',
    summary: 'Assign a tariff to a network, a location, a charger or a connector',
    description:
      'The current assignment on the same level ends when the new one begins. A session keeps the tariff as it ' +
      'was at its start.',
    body: NewAssignment,
    response: {
      201: Envelope(Assignment, 'The created assignment.'),
      ...cpmsErrors(
        'TARIFF_NOT_FOUND',
        'NETWORK_NOT_FOUND',
        'LOCATION_NOT_FOUND',
        'CHARGER_NOT_FOUND',
        'CONNECTOR_NOT_FOUND',
        'TARIFF_ASSIGNMENT_OVERLAPS',
      ),
    },
    handler: async (request, reply) => {
      const { validFrom, validUntil, ...place } = request.body;
      const assignment = {
        ...place,
        validFrom: optionalDate(validFrom),
        validUntil: optionalDate(validUntil),
      };
      const made = await assignTariff(deps, actorOf(request), assignment);
      return reply.code(201).send(success(assignmentView(made)));
    },
  });

  operation(app, 'DELETE /tariff-assignments/:uuid', 'cpms:write:tariffs', {
    operationId: 'endTariffAssignment',
    summary: 'End a tariff assignment',
    description:
      'Ends the assignment now, or withdraws one that has not begun. The assignment that it would have ended ' +
      'then continues until the next.',
    params: idParams('Tariff assignment'),
    response: {
      200: Deleted('Tariff assignment', 'The assignment has ended.'),
      ...cpmsErrors('TARIFF_ASSIGNMENT_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await endTariffAssignment(deps, actorOf(request), uuid);
      return deletion(uuid);
    },
  });

  operation(app, 'GET /chargers/:uuid/tariff', 'cpms:read:tariffs', {
    operationId: 'getChargerTariff',
    summary: 'Get the tariffs that apply at a charger and its connectors',
    description:
      'An assignment to a connector takes precedence over one to its charger, its location and its network, ' +
      'in this order.',
    params: idParams('Tariff assignment'),
    querystring: Type.Object({ at: Type.Optional(DateTime('Start of the assignment. Default: now.')) }),
    response: {
      200: Envelope(ChargerTariff, 'The tariffs at that time.'),
      ...cpmsErrors('CHARGER_NOT_FOUND'),
    },
    handler: async (request) => {
      const at = optionalDate(request.query.at) ?? new Date();
      const { uuid } = request.params;
      const { effective, connectors } = await readChargerTariffs(deps, callerOf(request), uuid, at);
      return success({
        chargerId: uuid,
        at: at.toISOString(),
        ...effectiveView(effective),
        connectors: connectors.map(({ connectorUuid, connectorNumber, effective }) => ({
          connectorId: connectorUuid,
          connectorNumber,
          ...effectiveView(effective),
        })),
      });
    },
  });
}
