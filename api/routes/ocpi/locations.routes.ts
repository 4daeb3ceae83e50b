import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import { sendJson } from '#api/plugins/serialization.ts';
import { operation } from '#api/routes/operation.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listOcpiLocations,
  readOcpiConnector,
  readOcpiEvse,
  readOcpiLocation,
} from '#api/services/roaming/locations.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { Connector, connectorView } from './documented/connector.ts';
import { Evse, evseView } from './documented/evse.ts';
import { Location, locationView } from './documented/location.ts';
import {
  OcpiEnvelope,
  ocpiErrors,
  OcpiListEnvelope,
  ocpiListQuery,
  ocpiSuccess,
  ocpiSuccessJson,
  sliceOf,
  setSliceHeaders,
} from './envelope.ts';
import { form, listOf } from './form.ts';
import { OcpiId } from './location-parts.ts';
import { locationWriteRoutes } from './location-writes.routes.ts';
import type { Surface } from './surface.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'locations' };

const withdrawn =
  'A location that was unpublished or removed stays with `publish` false and all EVSEs REMOVED. An EVSE whose charger was ' +
  'removed, became private or moved stays as REMOVED in the location that it was in. Both have only their required fields, and ' +
  'objects that were withdrawn before the first registration of the calling partner are not in its lists.';

type LocationForms = Pick<Surface, 'version' | 'end' | 'location' | 'evse' | 'connector'>;

/** Registers the routes of the locations of a partner's network, on all surfaces. */
export function locationRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps, {
    version: '2.2',
    end: '22',
    location: form(Location, locationView),
    evse: form(Evse, evseView),
    connector: form(Connector, connectorView),
  });
  evseByUidRoute(app, deps);
  locationWriteRoutes(app, deps);
  if (!deps.settings.ocpiStrict) return;
  for (const surface of surfaces) readRoutes(app, deps, surface);
}

/** Registers the Sender interface (OCPI 2.2.1 §8.2.1). */
function readRoutes(app: App, deps: ApiDeps, forms: LocationForms): void {
  const { version, end, location, evse, connector } = forms;
  const path = `/cpo/${version}/locations`;
  operation(app, `GET ${path}`, config, {
    operationId: `ocpiListLocations${end}`,
    summary: 'List the published locations with their EVSEs and connectors, oldest first',
    description: withdrawn,
    querystring: Type.Object(ocpiListQuery),
    response: {
      200: OcpiListEnvelope(location.schema, 'One slice of the locations.'),
      ...ocpiErrors(),
    },
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listOcpiLocations(deps, partnerOf(request), slice);
      setSliceHeaders(reply, `${deps.settings.publicUrl}/ocpi${path}`, request.query, slice, total);
      return ocpiSuccess(listOf(location, rows));
    },
  });

  operation(app, `GET ${path}/:location_id`, config, {
    operationId: `ocpiGetLocation${end}`,
    summary: 'Get a published location, or one that was',
    description: withdrawn,
    params: Type.Object({ location_id: OcpiId }),
    response: { 200: OcpiEnvelope(location.schema, 'The location.'), ...ocpiErrors('LOCATION_NOT_FOUND') },
    handler: async (request, reply) => {
      const id = request.params.location_id;
      const json = location.json(await readOcpiLocation(deps, partnerOf(request), id));
      if (json === null)
        throw new DomainError('LOCATION_NOT_FOUND', `The location ${id} has too little data.`);
      return sendJson(reply, ocpiSuccessJson(json));
    },
  });

  operation(app, `GET ${path}/:location_id/:evse_uid`, config, {
    operationId: `ocpiGetEvse${end}`,
    summary: 'Get an EVSE of a location',
    description:
      'A removed EVSE of a location that was published has the status REMOVED. Unpublished locations get ' +
      'status_code 2003.',
    params: Type.Object({ location_id: OcpiId, evse_uid: OcpiId }),
    response: { 200: OcpiEnvelope(evse.schema, 'The EVSE.'), ...ocpiErrors('EVSE_NOT_FOUND') },
    handler: async (request, reply) => {
      const { location_id: locationId, evse_uid: uid } = request.params;
      const json = evse.json(await readOcpiEvse(deps, partnerOf(request), locationId, uid));
      if (json === null)
        throw new DomainError('EVSE_NOT_FOUND', `The EVSE ${uid} has too little data for OCPI.`);
      return sendJson(reply, ocpiSuccessJson(json));
    },
  });

  operation(app, `GET ${path}/:location_id/:evse_uid/:connector_id`, config, {
    operationId: `ocpiGetConnector${end}`,
    summary: 'Get a connector of an EVSE',
    description:
      'Power is in W, voltage in V, current in A. Connectors of unpublished locations get status_code 2003.',
    params: Type.Object({ location_id: OcpiId, evse_uid: OcpiId, connector_id: OcpiId }),
    response: {
      200: OcpiEnvelope(connector.schema, 'The connector.'),
      ...ocpiErrors('EVSE_NOT_FOUND', 'CONNECTOR_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { location_id: locationId, evse_uid: uid, connector_id: id } = request.params;
      const json = connector.json(await readOcpiConnector(deps, partnerOf(request), locationId, uid, id));
      if (json === null) {
        throw new DomainError('CONNECTOR_NOT_FOUND', `The connector ${id} has too little data for OCPI.`);
      }
      return sendJson(reply, ocpiSuccessJson(json));
    },
  });
}

function evseByUidRoute(app: App, deps: ApiDeps): void {
  operation(app, 'GET /cpo/2.2/locations/evse/:evse_uid', config, {
    operationId: 'ocpiGetEvseByUid22',
    summary: 'Get an EVSE of any location',
    description: 'Finds the EVSE by its uid only. EVSEs of unpublished locations are not found.',
    params: Type.Object({ evse_uid: OcpiId }),
    response: { 200: OcpiEnvelope(Evse, 'The EVSE.'), ...ocpiErrors('EVSE_NOT_FOUND') },
    handler: async (request) => {
      return ocpiSuccess(
        evseView(await readOcpiEvse(deps, partnerOf(request), null, request.params.evse_uid)),
      );
    },
  });
}
