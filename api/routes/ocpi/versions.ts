import { Type } from 'typebox';
import { operation } from '#api/routes/operation.ts';
import { Named, Str } from '#api/routes/schema.ts';
import type { App } from '#api/plugins/app-instance.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ourEndpoints, ourVersions } from '#api/services/roaming/our-credentials.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { OcpiEnvelope, ocpiErrors, ocpiSuccess } from './envelope.ts';

const VersionEntry = Named('OcpiVersion', {
  version: Str('OCPI version.'),
  url: Str('URL.'),
});

const VersionDetails = Named('OcpiVersionDetails', {
  version: Str('OCPI version.'),
  endpoints: Type.Array(
    Type.Object({
      identifier: Str('OCPI module identifier.'),
      role: Str('Role of this platform in the module: SENDER or RECEIVER.'),
      url: Str('URL.'),
    }),
    { description: 'Module endpoints.' },
  ),
});

export const VersionParam = Type.String({
  maxLength: 10,
  description: 'OCPI version, such as 2.2 or 2.2.1.',
});

/** Details of 2.1.1, whose endpoints have no roles. */
const FlatVersionDetails = Named('Ocpi211VersionDetails', {
  version: Str('OCPI version.'),
  endpoints: Type.Array(
    Type.Object({
      identifier: Str('OCPI module identifier.'),
      url: Str('URL.'),
    }),
    { description: 'Module endpoints.' },
  ),
});

/**
 * Returns the version of a path.
 * @throws {DomainError} ROUTE_NOT_FOUND for an unsupported version.
 */
export function versionOf(deps: ApiDeps, text: string): OcpiVersion {
  const known = ourVersions(deps).find(({ version }) => version === text);
  if (known === undefined) throw new DomainError('ROUTE_NOT_FOUND', `OCPI ${text} is not supported.`);
  return known.version;
}

/** Registers the routes of supported versions and their module endpoints (OCPI 2.2.1 §6). */
export function versionRoutes(app: App, deps: ApiDeps): void {
  const config = { ocpiModule: 'versions', beforeRegistration: true };
  operation(app, 'GET /versions', config, {
    operationId: 'ocpiListVersions',
    summary: 'List the supported OCPI versions',
    description:
      'Also accepts the registration token that an operator created for a partner. Each version has the URL ' +
      'of its details.',
    response: { 200: OcpiEnvelope(Type.Array(VersionEntry), 'The versions.'), ...ocpiErrors() },
    handler: async () => ocpiSuccess(ourVersions(deps)),
  });

  operation(app, 'GET /:version', config, {
    operationId: 'ocpiGetVersion',
    summary: 'List the module endpoints of a version',
    description:
      'Also accepts the registration token that an operator created for a partner. Unknown versions get 404.',
    params: Type.Object({ version: VersionParam }),
    response: { 200: OcpiEnvelope(VersionDetails, 'The endpoints.'), ...ocpiErrors('ROUTE_NOT_FOUND') },
    handler: async (request) => {
      const version = versionOf(deps, request.params.version);
      return ocpiSuccess({ version, endpoints: ourEndpoints(deps, version) });
    },
  });

  if (!deps.settings.ocpiStrict) return;
  operation(app, 'GET /2.1.1', config, {
    operationId: 'ocpiGetVersion211',
    summary: 'List the module endpoints of OCPI 2.1.1',
    description: 'Also accepts the registration token that an operator created for a partner.',
    response: { 200: OcpiEnvelope(FlatVersionDetails, 'The endpoints.'), ...ocpiErrors() },
    handler: async () => {
      const endpoints = ourEndpoints(deps, '2.1.1').map(({ identifier, url }) => ({ identifier, url }));
      return ocpiSuccess({ version: '2.1.1', endpoints });
    },
  });
}
