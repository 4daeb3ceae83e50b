import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import { operation } from '#api/routes/operation.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { putHubClient, readHubClient } from '#api/services/roaming/hub-clients.ts';
import { ClientInfo, clientInfo, clientRecord } from '#api/services/roaming/wire/client-info.ts';
import { modulesIn, type OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { OcpiDone, ocpiDone, OcpiEnvelope, ocpiErrors, ocpiSuccess } from './envelope.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'hubclientinfo' };
const params = Type.Object({
  country_code: Type.String({
    minLength: 2,
    maxLength: 2,
    description: 'Country of the party (ISO 3166-1 alpha-2).',
  }),
  party_id: Type.String({ minLength: 3, maxLength: 3, description: 'OCPI party identifier.' }),
});

/** Registers the receiver interface of a hub's clients (OCPI 2.2.1 §15.3.1) on each surface that has the module. */
export function hubClientInfoRoutes(app: App, deps: ApiDeps): void {
  if (!deps.settings.ocpiStrict) return;
  for (const { version, end } of surfaces) {
    const hasModule = modulesIn(version).some(([identifier]) => identifier === config.ocpiModule);
    if (hasModule) hubClientInfoIn(app, deps, version, end);
  }
}

function hubClientInfoIn(app: App, deps: ApiDeps, version: OcpiVersion, end: string): void {
  const url = `/cpo/${version}/hubclientinfo/:country_code/:party_id`;
  operation(app, `GET ${url}`, config, {
    operationId: `ocpiGetHubClient${end}`,
    summary: 'Get a client of the calling hub; of several roles that which was reported last',
    description: 'Only hubs report clients (OCPI 2.2.1 §15). Clients of other hubs are not found.',
    params,
    response: { 200: OcpiEnvelope(ClientInfo, 'The client.'), ...ocpiErrors('OCPI_CLIENT_NOT_FOUND') },
    handler: async (request) =>
      ocpiSuccess(clientInfo(await readHubClient(deps, partnerOf(request), request.params))),
  });

  operation(app, `PUT ${url}`, config, {
    operationId: `ocpiPutHubClient${end}`,
    summary: 'Report the connection of a client of the calling hub',
    description: 'The operator must have marked the partner as a hub.',
    params,
    body: ClientInfo,
    response: { 200: OcpiDone, ...ocpiErrors('OCPI_WRITE_NOT_GRANTED') },
    handler: async (request) => {
      await putHubClient(deps, partnerOf(request), request.params, clientRecord(request.body));
      return ocpiDone();
    },
  });
}
