import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  EvseId,
  idParams,
  Integer,
  Named,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeEvse,
  type EvseRecord,
  listOperatorEvses,
  readOperatorEvse,
} from '#api/services/fleet/evses.service.ts';
import {
  capabilities,
  evseStatus,
  evseStatuses,
  humanStatuses,
  parkingRestrictions230,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { chargerTargetOf } from './chargers.routes.ts';
import { Envelope, success, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { Images, OrNull, Part } from './location-parts.ts';
import { Coordinates, Directions } from './location-schema.ts';
import { Parking } from './parking-schema.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { ifMatchHeaders, Version, versioned } from '#api/routes/cpms/kernel/versioned.ts';

const EvseNumber = Integer('EVSE number (OCPP), starting at 1.', 1, { minimum: 1, maximum: 1000 });

/** EVSE fields that an operator sets, within the limits of OCPI 2.2.1 §8.3.2, since partners receive them. */
const fields = {
  evseId: Nullable(EvseId),
  statedStatus: Nullable(
    OneOf(humanStatuses, 'Status set by the operator, which overrides the reported one. Null: none.'),
  ),
  statusSchedule: Type.Array(
    Part({
      periodBegin: DateTime('Start of the period.'),
      periodEnd: Type.Optional(DateTime('End of the period. Omit it when unknown.')),
      status: OneOf(evseStatuses, 'Status during the period.'),
    }),
    {
      maxItems: 100,
      description: 'Planned statuses, such as maintenance. Partners receive them; they have no other effect.',
    },
  ),
  capabilities: Nullable(
    Type.Array(OneOf(capabilities), {
      maxItems: capabilities.length,
      uniqueItems: true,
      description:
        'Capabilities (OCPI). Null: those that follow from OCPP and the model, such as remote start and stop, unlocking of a ' +
        'socket, and features of the model.',
    }),
  ),
  physicalReference: Nullable(
    Text(16, 'Text printed on the EVSE, at most 16 characters. Null: the text of the charger.', 'A-12'),
  ),
  floorLevel: Nullable(
    Text(4, 'Floor of the EVSE, at most 4 characters. Null: the floor of the charger.', '-1'),
  ),
  coordinates: OrNull(Coordinates, 'Coordinates of the EVSE. Null: the coordinates of the location.'),
  directions: Directions,
  parkingRestrictions: Type.Array(OneOf(parkingRestrictions230), {
    maxItems: parkingRestrictions230.length,
    uniqueItems: true,
    description:
      'Restrictions on parking (OCPI). Partners of versions before 2.3.0 do not receive EMPLOYEES, TAXIS and TENANTS.',
  }),
  parking: Parking,
  images: Images,
};

const EvseChange = Type.Object(Type.Partial(Type.Object(fields)).properties, {
  additionalProperties: false,
  minProperties: 1,
  examples: [
    {
      physicalReference: 'Bay 12',
      floorLevel: '-2',
      capabilities: ['RFID_READER', 'REMOTE_START_STOP_CAPABLE'],
    },
  ],
});

const Evse = Named('Evse', {
  uid: Str('Identifier of the EVSE for roaming partners. It never changes.', 'QUAY-1'),
  chargerId: Uuid('Charger identifier.'),
  number: EvseNumber,
  status: OneOf(evseStatuses, 'Status that roaming partners receive.'),
  ...fields,
  // A partner with write access can set more statuses of its own EVSEs.
  statedStatus: Nullable(OneOf(evseStatuses, 'Status set by the operator or the partner. Null: none.')),
  version: Version,
});

function evseView(chargerId: string, evse: EvseRecord): Static<typeof Evse> {
  const { latitude, longitude } = evse;
  return {
    uid: evse.uid,
    chargerId,
    number: evse.number,
    status: evseStatus(evse),
    evseId: evse.evseId,
    statedStatus: evse.statedStatus,
    statusSchedule: evse.statusSchedule,
    capabilities: evse.capabilities,
    physicalReference: evse.physicalReference,
    floorLevel: evse.floorLevel,
    coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
    directions: evse.directions,
    parkingRestrictions: evse.parkingRestrictions,
    parking: evse.parking,
    images: evse.images,
    version: evse.version,
  };
}

const evsePath = Type.Object({ uuid: Uuid('Charger identifier.'), number: EvseNumber });

/** Registers the routes of EVSEs. */
export function evseRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:uuid/evses', 'cpms:read:chargers', {
    operationId: 'listEvses',
    summary: 'List the EVSEs of a charger',
    description: "An EVSE exists for each EVSE number of the charger's connectors.",
    params: idParams('Charger'),
    querystring: Type.Object(networkQuery),
    response: {
      200: Envelope(Type.Array(Evse), 'The EVSEs, ordered by number.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const uuid = request.params.uuid.toLowerCase();
      const evses = await listOperatorEvses(deps, callerOf(request), uuid, networkOf(request.query));
      return success(evses.map((evse) => evseView(uuid, evse)));
    },
  });

  operation(app, 'GET /chargers/:uuid/evses/:number', 'cpms:read:chargers', {
    operationId: 'getEvse',
    summary: 'Get an EVSE',
    description:
      'The EVSE with its connectors, capabilities and stated status, as roaming partners receive it.',
    params: evsePath,
    querystring: Type.Object(networkQuery),
    response: {
      200: VersionedEnvelope(Evse, 'The EVSE.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'EVSE_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const target = chargerTargetOf(request);
      const { number } = request.params;
      const evse = await readOperatorEvse(deps, callerOf(request), target, number);
      return versioned(reply, evse, evseView(target.uuid, evse));
    },
  });

  operation(app, 'PATCH /chargers/:uuid/evses/:number', 'cpms:write:chargers', {
    operationId: 'updateEvse',
    summary: 'Update an EVSE',
    description:
      'Omitted fields stay, and null removes a value. Roaming partners receive the change of a published ' +
      'EVSE.',
    params: evsePath,
    querystring: Type.Object(networkQuery),
    headers: ifMatchHeaders,
    body: EvseChange,
    response: {
      200: VersionedEnvelope(Evse, 'The EVSE after the change.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'EVSE_NOT_FOUND', 'NETWORK_NOT_FOUND', 'PRECONDITION_FAILED'),
    },
    handler: async (request, reply) => {
      const { coordinates, ...change } = request.body;
      const target = chargerTargetOf(request);
      const evse = await changeEvse(deps, actorOf(request), target, request.params.number, {
        ...change,
        ...(coordinates !== undefined && (coordinates ?? { latitude: null, longitude: null })),
      });
      return versioned(reply, evse, evseView(target.uuid, evse));
    },
  });
}
