import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  ConnectorNumber,
  cursorOf,
  cursorQuery,
  DateTime,
  Decimal,
  idParams,
  Integer,
  kilo,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  OptionalBody,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import {
  changeConnector,
  type ConnectorDetailRecord,
  deleteConnector,
  listOperatorConnectors,
  readOperatorConnector,
} from '#api/services/fleet/connector-registry.ts';
import { addConnector } from '#api/services/fleet/connectors.service.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { connectorItem, connectorSummary } from './charger-view.ts';
import { CursorEnvelope, successSlice, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { ConnectorCapabilities, OcpiUrl } from './location-parts.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version, versioned } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

/** Fields of a connector. */
export const connectorFields = {
  standard: Text(60, 'Connector standard (OCPI), such as IEC_62196_T2.', 'IEC_62196_T2'),
  format: OneOf(['SOCKET', 'CABLE'], 'Connector format: SOCKET (untethered) or CABLE (tethered).'),
  powerType: OneOf(['AC_1_PHASE', 'AC_2_PHASE', 'AC_2_PHASE_SPLIT', 'AC_3_PHASE', 'DC'], 'OCPI power type.'),
  maxVoltage: Integer('Maximum voltage in V.', 230, { minimum: 1, maximum: 10_000 }),
  maxAmperage: Integer('Maximum current in A.', 16, { minimum: 1, maximum: 10_000 }),
  maxPower: Decimal('Maximum power in kW.', 11, { exclusiveMinimum: 0, maximum: 10_000 }),
};

const NewConnector = Closed({
  connectorNumber: Type.Optional(ConnectorNumber),
  ...Type.Partial(Type.Object(connectorFields)).properties,
});

const ConnectorChange = Type.Object(
  Type.Partial(
    Type.Object({
      standard: Nullable(connectorFields.standard),
      format: Nullable(connectorFields.format),
      powerType: Nullable(connectorFields.powerType),
      maxVoltage: Nullable(connectorFields.maxVoltage),
      maxAmperage: Nullable(connectorFields.maxAmperage),
      maxPower: Nullable(connectorFields.maxPower),
      termsAndConditions: Nullable(OcpiUrl),
      capabilities: ConnectorCapabilities,
    }),
  ).properties,
  { additionalProperties: false, minProperties: 1 },
);

const limits = {
  maxVoltage: Nullable(Integer('Maximum voltage in V. Null when unknown.', 230)),
  maxAmperage: Nullable(Integer('Maximum current in A. Null when unknown.', 16)),
};

const ConnectorDetail = Named('Connector', {
  ...connectorSummary,
  chargerId: Uuid('Charger identifier.'),
  networkId: NetworkNumber,
  evseNumber: Integer(
    "Number of the connector's EVSE (OCPP). For OCPP 1.6 it equals the connector number.",
    1,
  ),
  ...limits,
  termsAndConditions: Nullable(
    Str('URL of the terms and conditions for drivers. Null if not set.', 'https://harbour.example/terms'),
  ),
  capabilities: ConnectorCapabilities,
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

function detailOf(connector: ConnectorDetailRecord): Static<typeof ConnectorDetail> {
  return {
    ...connectorItem(connector),
    chargerId: connector.chargerUuid,
    networkId: connector.networkId,
    evseNumber: connector.evseNumber,
    maxVoltage: connector.maxVoltage,
    maxAmperage: connector.maxAmperage,
    termsAndConditions: connector.termsAndConditions,
    capabilities: connector.capabilities,
    version: connector.version,
    createdAt: connector.createdAt.toISOString(),
    updatedAt: connector.updatedAt.toISOString(),
  };
}

const CreatedConnector = Named('CreatedConnector', {
  id: Uuid('Connector identifier.'),
  chargerId: Uuid('Charger identifier.'),
  connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
  standard: Nullable(
    Str('Connector standard (OCPI), such as IEC_62196_T2. Null when unknown.', 'IEC_62196_T2'),
  ),
  format: Nullable(
    Str('Connector format: SOCKET (untethered) or CABLE (tethered). Null when unknown.', 'SOCKET'),
  ),
  powerType: Nullable(Str('OCPI power type, such as AC_3_PHASE or DC. Null when unknown.', 'AC_3_PHASE')),
  ...limits,
  maxPower: Nullable(Decimal('Maximum power in kW. Null when unknown.', 11)),
  created: Type.Literal(true, { description: 'Always true.' }),
});

const answerOf = (connector: ConnectorDetailRecord) => [connector, detailOf(connector)] as const;

/** Registers the routes of connectors. */
export function connectorRoutes(app: App, deps: ApiDeps): void {
  const connectors = new VersionedResource(app, {
    path: '/connectors',
    name: 'Connector',
    scopes: { read: 'cpms:read:chargers', write: 'cpms:write:connectors' },
    notFound: 'CONNECTOR_NOT_FOUND',
  });
  const list = CursorEnvelope(ConnectorDetail, 'One page of connectors.');
  const pages = new SharedPages(list);

  operation(app, 'POST /chargers/:uuid/connectors', 'cpms:write:connectors', {
    operationId: 'createConnector',
    summary: 'Add a connector to a charger',
    description: 'A number is unique at its charger (409). Power is in kW.',
    params: idParams('Charger'),
    querystring: Type.Object(networkQuery),
    body: OptionalBody(NewConnector),
    response: {
      201: VersionedEnvelope(CreatedConnector, 'The created connector.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'CONNECTOR_EXISTS'),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const body = request.body ?? {};
      const connector = await addConnector(deps, actorOf(request), uuid, networkOf(request.query), {
        number: body.connectorNumber ?? null,
        standard: body.standard ?? null,
        format: body.format ?? null,
        powerType: body.powerType ?? null,
        maxVoltage: body.maxVoltage ?? null,
        maxAmperage: body.maxAmperage ?? null,
        maxPowerW: wattsOf(body.maxPower ?? null),
      });
      return versioned(reply.code(201), connector, {
        id: connector.uuid,
        chargerId: uuid.toLowerCase(),
        connectorNumber: connector.number,
        standard: connector.standard,
        format: connector.format,
        powerType: connector.powerType,
        maxVoltage: connector.maxVoltage,
        maxAmperage: connector.maxAmperage,
        maxPower: kilo(connector.maxPowerW),
        created: true as const,
      });
    },
  });

  operation(app, 'GET /connectors', 'cpms:read:chargers', {
    operationId: 'listConnectors',
    summary: 'List connectors, oldest first',
    description: "Lists connectors of chargers in the caller's networks with their latest status.",
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      chargerUuid: Type.Optional(Uuid('Charger to filter by.')),
      locationUuid: Type.Optional(Uuid('Location to filter by.')),
      status: Type.Optional(Text(40, 'Connector status to filter by.', 'Available')),
      standard: Type.Optional(Text(60, 'Connector standard to filter by.', 'IEC_62196_T2')),
    }),
    response: {
      200: list,
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { chargerUuid, locationUuid, status, standard } = request.query;
      const filter = { chargerUuid, locationUuid, status, standard, networkUuid: networkOf(request.query) };
      const slice = cursorOf(request.query);
      const caller = callerOf(request);
      return pages.send(request, reply, caller.networks, async () => {
        const { rows, nextCursor } = await listOperatorConnectors(deps, caller, filter, slice);
        return successSlice(rows.map(detailOf), nextCursor);
      });
    },
  });

  connectors.get({
    operationId: 'getConnector',
    summary: 'Get a connector',
    description: '`status` is the latest that the charger reported.',
    answer: [ConnectorDetail, 'The connector.'],
    read: async (caller, uuid) => answerOf(await readOperatorConnector(deps, caller, uuid)),
  });

  connectors.patch({
    operationId: 'updateConnector',
    summary: 'Update a connector',
    description: 'Omitted fields stay, and null removes a value. The charger reports the status.',
    body: ConnectorChange,
    answer: [ConnectorDetail, 'The connector after the change.'],
    change: async (by, uuid, expected, { maxPower, ...change }) =>
      answerOf(
        await changeConnector(deps, by, uuid, expected, {
          ...change,
          ...(maxPower !== undefined && { maxPowerW: wattsOf(maxPower) }),
        }),
      ),
  });

  connectors.delete({
    operationId: 'deleteConnector',
    summary: 'Delete a connector without a running session',
    description: 'A connector that the charger reports again is created as a new one.',
    answer: 'The connector is deleted.',
    extra: {
      deactivatedAssignments: Integer('Number of tariff assignments to the connector that ended.'),
    },
    errors: ['CONNECTOR_IN_USE'],
    remove: async (by, uuid, expected) => ({
      deactivatedAssignments: await deleteConnector(deps, by, uuid, expected),
    }),
  });
}

/** Converts kW of the API to W of the database. */
export function wattsOf(kilowatts: number | null): number | null {
  return kilowatts === null ? null : Math.round(kilowatts * 1000);
}
