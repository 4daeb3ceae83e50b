import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { cursorOf, cursorQuery, Flag, Formed, Integer, Text } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeLocation,
  createLocation,
  deleteLocation,
  listOwnLocations,
  readLocation,
  type LocationRecord,
} from '#api/services/fleet/locations.service.ts';
import { CursorEnvelope, successSlice, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { Location, LocationChange, locationView, NewLocation } from './location-schema.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { versioned } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const answerOf = (location: LocationRecord) => [location, locationView(location)] as const;

/** Registers the routes of locations. */
export function locationRoutes(app: App, deps: ApiDeps): void {
  const locations = new VersionedResource(app, {
    path: '/locations',
    name: 'Location',
    scopes: { read: 'cpms:read:locations', write: 'cpms:write:locations' },
    notFound: 'LOCATION_NOT_FOUND',
  });

  operation(app, 'GET /locations', 'cpms:read:locations', {
    operationId: 'listLocations',
    summary: 'List locations, oldest first',
    description: '`search` matches a part of the name, the address or the postal code.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      search: Type.Optional(Text(100, 'Part of a name to filter by.', 'quay')),
      city: Type.Optional(Text(45, 'Town or city to filter by.', 'Rotterdam')),
      country: Type.Optional(
        Formed('three upper-case letters', '^[A-Z]{3}$', {
          description: 'Country to filter by (ISO 3166-1 alpha-3).',
          examples: ['NLD'],
        }),
      ),
      isPublished: Type.Optional(Flag('True selects the locations that drivers and roaming partners see.')),
    }),
    response: {
      200: CursorEnvelope(Location, 'One page of locations.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { search, city, country, isPublished } = request.query;
      const filter = { search, city, country, isPublished, networkUuid: networkOf(request.query) };
      const slice = cursorOf(request.query);
      const { rows, nextCursor } = await listOwnLocations(deps, callerOf(request), filter, slice);
      return successSlice(rows.map(locationView), nextCursor);
    },
  });

  locations.get({
    operationId: 'getLocation',
    summary: 'Get a location',
    description: 'A location of a network that the caller may not access is not found.',
    answer: [Location, 'The location.'],
    read: async (caller, uuid) => answerOf(await readLocation(deps, caller, uuid)),
  });

  operation(app, 'POST /locations', 'cpms:write:locations', {
    operationId: 'createLocation',
    summary: 'Create a location',
    description:
      'Coordinates are decimal degrees (WGS 84). A published location is visible to drivers and is sent to ' +
      'roaming partners.',
    querystring: Type.Object(networkQuery),
    body: NewLocation,
    response: {
      201: VersionedEnvelope(Location, 'The created location.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { networkUuid, coordinates, ...named } = request.body;
      const network = networkOf({ networkId: networkOf(request.query), networkUuid });
      const location = await createLocation(deps, actorOf(request), network, { ...named, ...coordinates });
      return versioned(reply.code(201), location, locationView(location));
    },
  });

  locations.patch({
    operationId: 'updateLocation',
    summary: 'Update a location',
    description:
      'Omitted fields stay, and null removes a value. Changes of a published location are sent to roaming ' +
      'partners.',
    body: LocationChange,
    answer: [Location, 'The location after the change.'],
    change: async (by, uuid, expected, { coordinates, ...change }) =>
      answerOf(await changeLocation(deps, by, uuid, expected, { ...change, ...coordinates })),
  });

  locations.delete({
    operationId: 'deleteLocation',
    summary: 'Delete a location without chargers',
    description:
      'A location that still has chargers is kept (409). Roaming partners that know the location receive the ' +
      'removal.',
    answer: 'The location is deleted, and tariff assignments to it have ended.',
    extra: {
      deactivatedAssignments: Integer('Number of tariff assignments that ended with the removal.'),
    },
    errors: ['LOCATION_IN_USE'],
    remove: async (by, uuid, expected) => ({
      deactivatedAssignments: await deleteLocation(deps, by, uuid, expected),
    }),
  });
}
