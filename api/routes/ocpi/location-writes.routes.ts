import { Type } from 'typebox';
import type { FastifyRequest } from 'fastify';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerActorOf, partnerOf } from '#api/plugins/ocpi-partner.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { writeConnector, writeEvse, writeLocation } from '#api/services/roaming/location-writes.service.ts';
import type { PartnerWrite } from '#api/services/roaming/partner-writes.ts';
import { ConnectorBody, sentConnector } from './documented/connector.ts';
import { EvseBody, sentEvse } from './documented/evse.ts';
import { LocationBody, sentLocation } from './documented/location.ts';
import { OcpiDone, ocpiDone, ocpiErrors } from './envelope.ts';
import { OcpiId } from './location-parts.ts';

const config = { ocpiModule: 'locations', ocpiWrite: 'locations' as const };
const errors = ocpiErrors(
  'OCPI_WRITE_NOT_GRANTED',
  'LOCATION_NOT_FOUND',
  'EVSE_NOT_FOUND',
  'CONNECTOR_NOT_FOUND',
  'CONNECTOR_EXISTS',
);

const methods = [
  [
    'PUT',
    'Put',
    'Create or replace',
    'Omitted optional fields are cleared. A new location without address, city, country or coordinates is stored unpublished.',
  ],
  ['PATCH', 'Patch', 'Change', 'Requires last_updated; omitted fields stay, and null removes a value.'],
] as const;

/** Registers the routes with which authorized partners write locations, in the documented format. */
export function locationWriteRoutes(app: App, deps: ApiDeps): void {
  for (const [method, name, does, rule] of methods) {
    const described = (what: string) => ({
      operationId: `ocpi${name}${what.charAt(0).toUpperCase()}${what.slice(1).toLowerCase()}22`,
      summary: `${does} ${what === 'EVSE' ? 'an' : 'a'} ${what} (with the write scope)`,
      description: `${rule} A request older than the stored state changes nothing.`,
    });

    app.route({
      method,
      url: '/cpo/2.2/locations/:location_id',
      config,
      schema: {
        ...described('location'),
        params: Type.Object({ location_id: OcpiId }),
        body: LocationBody,
        response: { 200: OcpiDone, ...errors },
      },
      handler: async (request) => {
        const { params, body } = request;
        await writeLocation(deps, writeOf(request, method), params.location_id, sentLocation(body));
        return ocpiDone();
      },
    });

    app.route({
      method,
      url: '/cpo/2.2/locations/:location_id/:evse_uid',
      config,
      schema: {
        ...described('EVSE'),
        params: Type.Object({ location_id: OcpiId, evse_uid: OcpiId }),
        body: EvseBody,
        response: { 200: OcpiDone, ...errors },
      },
      handler: async (request) => {
        const place = { locationId: request.params.location_id, uid: request.params.evse_uid };
        await writeEvse(deps, writeOf(request, method), place, sentEvse(request.body));
        return ocpiDone();
      },
    });

    app.route({
      method,
      url: '/cpo/2.2/locations/:location_id/:evse_uid/:connector_id',
      config,
      schema: {
        ...described('connector'),
        params: Type.Object({ location_id: OcpiId, evse_uid: OcpiId, connector_id: OcpiId }),
        body: ConnectorBody,
        response: { 200: OcpiDone, ...errors },
      },
      handler: async (request) => {
        const { location_id: locationId, evse_uid: uid, connector_id: id } = request.params;
        await writeConnector(
          deps,
          writeOf(request, method),
          { locationId, uid, id },
          sentConnector(request.body),
        );
        return ocpiDone();
      },
    });
  }
}

function writeOf(request: FastifyRequest, method: PartnerWrite['method']): PartnerWrite {
  const { networkId } = partnerOf(request);
  return { networkId, method, by: partnerActorOf(request) };
}
