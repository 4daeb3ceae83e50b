import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, EvseId, Named, Nullable, OneOf, Text, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeEvse,
  type EvseRecord,
  listOperatorEvses,
  readOperatorEvse,
} from '#api/services/fleet/evses.ts';
import {
  capabilities,
  evseStatus,
  evseStatuses,
  humanStatuses,
  parkingRestrictions,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { chargerTargetOf } from './chargers.ts';
import { Envelope, success, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { Coordinates, Directions, Images, OrNull, Part } from './location-schema.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { ifMatchHeaders, tellVersion, Version } from '#api/routes/cpms/kernel/versioned.ts';

const EvseNumber = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: "OCPP's number of the EVSE, 1-based",
  examples: [1],
});

/** What an operator says of an EVSE, within OCPI 2.2.1's bounds (§8.3.2), since partners are told the same. */
const fields = {
  evseId: Nullable(EvseId),
  statedStatus: Nullable(
    OneOf(humanStatuses, 'What its charger cannot know, and what outweighs what it reports; null: nothing'),
  ),
  statusSchedule: Type.Array(
    Part({
      periodBegin: DateTime('Start of the period.'),
      periodEnd: Type.Optional(DateTime('Left out: until further notice')),
      status: OneOf(evseStatuses, 'Status during the period.'),
    }),
    { maxItems: 100, description: 'What is planned, such as maintenance: told, and not acted upon' },
  ),
  capabilities: Nullable(
    Type.Array(OneOf(capabilities), {
      maxItems: capabilities.length,
      uniqueItems: true,
      description: "OCPI's words; null: what every charger that speaks OCPP can do, remote start and stop",
    }),
  ),
  physicalReference: Nullable(
    Text(16, {
      description: "What is written on it, to 16 characters; null: the charger's",
      examples: ['A-12'],
    }),
  ),
  floorLevel: Nullable(Text(4, { description: "To 4 characters; null: the charger's", examples: ['-1'] })),
  coordinates: OrNull(Coordinates, "Null: the location's"),
  directions: Directions,
  parkingRestrictions: Type.Array(OneOf(parkingRestrictions), {
    maxItems: parkingRestrictions.length,
    uniqueItems: true,
    description: 'Who may park there',
  }),
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
  uid: Type.String({ description: 'What roaming partners call it; never changed', examples: ['QUAY-1'] }),
  chargerId: Uuid('Charger identifier.'),
  number: EvseNumber,
  status: OneOf(evseStatuses, 'What roaming partners are told now'),
  ...fields,
  // A partner that may write says more words of its own EVSEs.
  statedStatus: Nullable(OneOf(evseStatuses, 'What people said of it; null: nothing')),
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
    images: evse.images,
    version: evse.version,
  };
}

const evsePath = Type.Object({ uuid: Uuid('Of the charger'), number: EvseNumber });

/** The EVSEs of a charger: what of them people say and no charger reports. */
export function evseRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/chargers/:uuid/evses',
    config: { scope: 'cpms:read:chargers' },
    schema: {
      tags: ['fleet'],
      operationId: 'listEvses',
      summary: "A charger's EVSEs, as roaming partners are told of them",
      description: 'An EVSE is there for each that the connectors of the charger name.',
      params: Type.Object({ uuid: Uuid('Charger identifier.') }),
      querystring: Type.Object(networkQuery),
      response: {
        200: Envelope(Type.Array(Evse), 'The EVSEs, ordered by number'),
        ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const uuid = request.params.uuid.toLowerCase();
      const evses = await listOperatorEvses(deps, callerOf(request), uuid, networkOf(request.query));
      return success(evses.map((evse) => evseView(uuid, evse)));
    },
  });

  app.route({
    method: 'GET',
    url: '/chargers/:uuid/evses/:number',
    config: { scope: 'cpms:read:chargers' },
    schema: {
      tags: ['fleet'],
      operationId: 'getEvse',
      summary: 'One EVSE of a charger',
      params: evsePath,
      querystring: Type.Object(networkQuery),
      response: {
        200: VersionedEnvelope(Evse, 'The EVSE'),
        ...cpmsErrors('CHARGER_NOT_FOUND', 'EVSE_NOT_FOUND', 'NETWORK_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      const target = chargerTargetOf(request);
      const evse = await readOperatorEvse(deps, callerOf(request), target, request.params.number);
      tellVersion(reply, evse);
      return success(evseView(target.uuid, evse));
    },
  });

  app.route({
    method: 'PATCH',
    url: '/chargers/:uuid/evses/:number',
    config: { scope: 'cpms:write:chargers' },
    schema: {
      tags: ['fleet'],
      operationId: 'updateEvse',
      summary: 'Change what roaming partners are told of an EVSE',
      params: evsePath,
      querystring: Type.Object(networkQuery),
      headers: ifMatchHeaders,
      body: EvseChange,
      response: {
        200: VersionedEnvelope(Evse, 'The EVSE as it is now'),
        ...cpmsErrors(
          'CHARGER_NOT_FOUND',
          'EVSE_NOT_FOUND',
          'NETWORK_NOT_FOUND',
          'PRECONDITION_FAILED',
          ...bodyErrors,
        ),
      },
    },
    handler: async (request, reply) => {
      const { coordinates, ...change } = request.body;
      const target = chargerTargetOf(request);
      const evse = await changeEvse(deps, actorOf(request), target, request.params.number, {
        ...change,
        ...(coordinates !== undefined && (coordinates ?? { latitude: null, longitude: null })),
      });
      tellVersion(reply, evse);
      return success(evseView(target.uuid, evse));
    },
  });
}
