import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Flag,
  Formed,
  idParams,
  largeTotals,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  pageOf,
  pageQuery,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { SharedPages } from '#api/routes/shared-pages.ts';
import {
  changeCharger,
  type ChargerTarget,
  decommissionCharger,
} from '#api/services/fleet/charger-edits.service.ts';
import { registerCharger } from '#api/services/fleet/charger-registry.ts';
import { listOperatorChargers, readOperatorCharger } from '#api/services/fleet/chargers.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { registrations } from '#shared/domain/fleet/registration.ts';
import {
  chargerFilterOf,
  chargerFilters,
  chargerOrderOf,
  chargerSort,
} from '#api/routes/cpms/kernel/charger-query.ts';
import {
  ChargerDetail,
  chargerDetail,
  ChargerItem,
  chargerItem,
  decommissioned,
  SecurityProfile,
} from './charger-view.ts';
import {
  PagedEnvelope,
  successPage,
  VersionedEnvelope,
  Deleted,
  deletion,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { expectedVersion, ifMatchHeaders, versioned } from '#api/routes/cpms/kernel/versioned.ts';

/** Visible characters: no space, control character or half of a surrogate pair. A colon would end the user name of Basic credentials. */
const visible =
  '[^:\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u200b-\\u200f\\u2028-\\u202f\\u2060-\\u206f\\ufeff\\ud800-\\udfff]';

const Serial = Formed(
  '1 to 48 visible characters without a colon, with spaces only between them',
  // Clients and proxies remove . and .. from a path.
  `^(?!\\.\\.?$)${visible}(?:(?:${visible}| )*${visible})?$`,
  {
    minLength: 1,
    maxLength: 48,
    description:
      'Serial number. It becomes the OCPP identity of the charger: its Basic user name, and percent-encoded the end of ' +
      'its URL.',
    examples: ['QUAY-1'],
  },
);

const CommonName = Formed(
  'text of 1 to 64 characters without control characters',
  '^[^\\u0000-\\u001f\\u007f]*$',
  {
    minLength: 1,
    maxLength: 64,
    description:
      'Common name of the client certificate (security profile 3), where it differs from the OCPP identity.',
    examples: ['EP-11-000042'],
  },
);

const OcppPassword = Formed('16 to 40 visible ASCII characters', '^[!-~]+$', {
  minLength: 16,
  maxLength: 40,
  description:
    'Basic password that the charger has already. Default: a new one, which the response contains.',
  examples: ['9f2c4e0b7a6d41d38c1f'],
});

/** Fields of a new charger. */
export const newChargerFields = {
  serial: Serial,
  networkUuid: Type.Optional(Uuid('Network of the charger. Required when the caller has several networks.')),
  locationUuid: Type.Optional(Uuid('Location of the charger.')),
  modelUuid: Type.Optional(Uuid('Charger model in the catalog.')),
  status: Type.Optional(Text(40, 'Status until the charger reports one.', 'Available')),
  firmwareVersion: Type.Optional(
    Text(100, 'Firmware version. The charger replaces it when it boots.', '1.4.2'),
  ),
  ocppVersion: Type.Optional(OneOf(ocppVersions, 'OCPP version. The charger replaces it when it connects.')),
  securityProfile: Type.Optional(SecurityProfile),
  certificateCommonName: Type.Optional(CommonName),
  ocppPassword: Type.Optional(OcppPassword),
};

const NewCharger = Type.Object(newChargerFields, {
  additionalProperties: false,
  examples: [{ serial: 'QUAY-1', ocppVersion: '1.6' }],
});

/** Fields of a charger that an operator changes. */
export const chargerChangeFields = {
  status: Type.Optional(Text(40, 'Status until the charger reports one.', 'Available')),
  // Maximum lengths of OCPI 2.2.1 §8.3.2.
  physicalReference: Type.Optional(
    Nullable(Text(16, 'Text printed on the charger, at most 16 characters.', 'A-12')),
  ),
  floorLevel: Type.Optional(
    Nullable(Text(4, 'Floor on which the charger stands, at most 4 characters.', '-1')),
  ),
  locationUuid: Type.Optional(Nullable(Uuid('Location of the charger. Null removes it.'))),
  modelUuid: Type.Optional(Nullable(Uuid('Charger model in the catalog. Null removes it.'))),
  isPublic: Type.Optional(Flag('True shows the charger to drivers, at a published location.')),
  securityProfile: Type.Optional(SecurityProfile),
  certificateCommonName: Type.Optional(Nullable(CommonName)),
};

const ChargerChange = Type.Object(chargerChangeFields, { additionalProperties: false, minProperties: 1 });

const CreatedCharger = Named('CreatedCharger', {
  id: Uuid('Charger identifier.'),
  uid: Str('OCPP identity of the charger.', 'QUAY-1'),
  evseId: Str('Prefix of the identifiers of its EVSEs.', 'NL*HRB*E0123456789ABCDEF'),
  serialNumber: Str('Serial number of the charger.', 'QUAY-1'),
  status: Str('Status of the charger.', 'Available'),
  networkId: NetworkNumber,
  locationId: Nullable(Uuid('Location identifier. Null when the charger has no location.')),
  securityProfile: SecurityProfile,
  registration: OneOf(
    registrations,
    'Registration of the charger, by `newChargerRegistration` of its network.',
  ),
  created: Type.Literal(true, { description: 'Always true.' }),
  ocppUrl: Str(
    'Address at which the charger connects to the gateway. Its end is the percent-encoded OCPP identity of the charger.',
    'wss://ocpp.example.org/ocpp/QUAY-1',
  ),
  ocppPassword: Str(
    'Basic password of the charger, for security profiles 1 and 2. Shown this once; only its hash is stored.',
    '9f2c4e0b7a6d41d38c1f',
  ),
});

/** Registers the routes that list, read, register, change and decommission chargers. */
export function chargerRoutes(app: App, deps: ApiDeps): void {
  const list = PagedEnvelope(ChargerItem, 'One page of chargers, oldest first without `sort`.');
  const pages = new SharedPages(list);

  operation(app, 'GET /chargers', 'cpms:read:chargers', {
    operationId: 'listChargers',
    summary: 'List chargers with their status',
    description:
      '`search` matches a part of the uid, the serial number, the EVSE identifier or the name of the location. ' +
      largeTotals,
    querystring: Type.Object({ ...pageQuery, ...networkQuery, ...chargerFilters, ...chargerSort }),
    response: {
      200: list,
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const page = pageOf(request.query);
      const filter = chargerFilterOf(request.query);
      const order = chargerOrderOf(request.query);
      const network = networkOf(request.query);
      const caller = callerOf(request);
      return pages.send(request, reply, caller.networks, async () => {
        const { rows, total } = await listOperatorChargers(deps, caller, network, filter, page, order);
        return successPage(rows.map(chargerItem), page, total);
      });
    },
  });

  operation(app, 'GET /chargers/:uuid', 'cpms:read:chargers', {
    operationId: 'getCharger',
    summary: 'Get a charger with its connectors',
    description:
      'A charger of a network that the caller may not access is not found. `isOnline` is false 5 minutes ' +
      'after its last message.',
    params: idParams('Charger'),
    querystring: Type.Object(networkQuery),
    response: {
      200: VersionedEnvelope(ChargerDetail, 'The charger.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const read = await readOperatorCharger(deps, callerOf(request), uuid, networkOf(request.query));
      return versioned(reply, read.charger, chargerDetail(read));
    },
  });

  operation(app, 'POST /chargers', 'cpms:write:chargers', {
    operationId: 'createCharger',
    summary: 'Register a charger',
    description:
      "The response contains the charger's OCPP password, which is not shown again. The serial number is its " +
      'identity in the WebSocket URL and is unique in the whole system (409).',
    querystring: Type.Object(networkQuery),
    body: NewCharger,
    response: {
      201: VersionedEnvelope(CreatedCharger, 'The registered charger.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'LOCATION_NOT_FOUND', 'MODEL_NOT_FOUND', 'CHARGER_EXISTS'),
    },
    handler: async (request, reply) => {
      const { networkUuid, ...named } = request.body;
      const charger = await registerCharger(deps, actorOf(request), {
        ...named,
        networkUuid: networkOf({ networkId: networkOf(request.query), networkUuid }),
      });
      return versioned(reply.code(201), charger, {
        id: charger.uuid,
        uid: charger.uid,
        evseId: charger.evseId,
        serialNumber: charger.serialNumber,
        status: charger.status,
        networkId: charger.networkId,
        locationId: charger.locationUuid,
        securityProfile: charger.securityProfile,
        registration: charger.registration,
        created: true as const,
        ocppUrl: `${deps.settings.ocppUrl}/${encodeURIComponent(charger.uid)}`,
        ocppPassword: charger.ocppPassword,
      });
    },
  });

  operation(app, 'PATCH /chargers/:uuid', 'cpms:write:chargers', {
    operationId: 'updateCharger',
    summary: 'Update a charger',
    description:
      'A status that is set here lasts until the charger reports one. A changed security profile or common name ' +
      'applies from the next connection.',
    params: idParams('Charger'),
    querystring: Type.Object(networkQuery),
    headers: ifMatchHeaders,
    body: ChargerChange,
    response: {
      200: VersionedEnvelope(
        Type.Object({
          id: Uuid('Charger identifier.'),
          updated: Type.Literal(true, { description: 'Always true.' }),
        }),
        'The charger is updated.',
      ),
      ...cpmsErrors(
        'CHARGER_NOT_FOUND',
        'NETWORK_NOT_FOUND',
        'LOCATION_NOT_FOUND',
        'MODEL_NOT_FOUND',
        'CHARGER_EXISTS',
        'PRECONDITION_FAILED',
      ),
    },
    handler: async (request, reply) => {
      const target = chargerTargetOf(request);
      const changed = await changeCharger(deps, actorOf(request), target, request.body);
      return versioned(reply, changed, { id: target.uuid, updated: true as const });
    },
  });

  operation(app, 'DELETE /chargers/:uuid', 'cpms:write:chargers', {
    operationId: 'deleteCharger',
    summary: 'Decommission a charger without running sessions, and its connectors',
    description: 'The connection is closed at once, and new ones are rejected.',
    params: idParams('Charger'),
    querystring: Type.Object(networkQuery),
    headers: ifMatchHeaders,
    response: {
      200: Deleted('Charger', 'The charger is decommissioned.', decommissioned),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'CHARGER_IN_USE', 'PRECONDITION_FAILED'),
    },
    handler: async (request) => {
      const target = chargerTargetOf(request);
      const removed = await decommissionCharger(deps, actorOf(request), target);
      return deletion(target.uuid, removed);
    },
  });
}

/** Returns the charger of a path, and the version of If-Match. */
export function chargerTargetOf(request: {
  params: { uuid: string };
  query: Parameters<typeof networkOf>[0];
  headers: Parameters<typeof expectedVersion>[0];
}): ChargerTarget {
  return {
    uuid: request.params.uuid.toLowerCase(),
    networkUuid: networkOf(request.query),
    expected: expectedVersion(request.headers),
  };
}
