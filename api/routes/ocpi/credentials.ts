import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { handshakeFaults } from '#api/plugins/error-bodies.ts';
import { partnerActorOf, partnerOf } from '#api/plugins/ocpi-partner.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { registerPartner, unregisterPartner } from '#api/services/roaming/handshake.ts';
import { ourRole, ourVersionsUrl } from '#api/services/roaming/our-credentials.ts';
import type { CallingPartner } from '#api/services/roaming/partners.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { credentialsView, sentCredentials } from '#api/services/roaming/wire/v221/credentials.ts';
import { Credentials, CredentialsBody } from './credentials-view.ts';
import { OcpiDone, ocpiDone, OcpiEnvelope, ocpiErrors, ocpiSuccess } from './envelope.ts';
import { VersionParam, versionOf } from './versions.ts';

const config = { ocpiModule: 'credentials', beforeRegistration: true };
const params = Type.Object({ version: VersionParam });
const handshakeErrors = ocpiErrors(
  'ROUTE_NOT_FOUND',
  'OCPI_ALREADY_REGISTERED',
  'OCPI_NOT_REGISTERED',
  'OCPI_PARTY_NOT_GRANTED',
  'MALFORMED_JSON',
);

/** Response to a handshake. It has HTTP status 200 when the endpoints of the other side cannot be used. */
const handshakeAnswer = {
  ...OcpiEnvelope(Credentials, 'Our credentials with a new token.'),
  codes: handshakeFaults,
};

const description =
  'Endpoints of the other side that cannot be used give a response 200 with status_code 3001 (the versions or details do ' +
  'not accept the token), 3002 (they do not list this version) or 3003 (no credentials endpoint); nothing has changed then. ' +
  'The roles can contain the parties that the operator granted to the partner; others are rejected with 2001 (OCPI_PARTY_NOT_GRANTED).';

/** Registers the routes of the handshake between two parties (OCPI 2.2.1 §7). */
export function credentialsRoutes(app: App, deps: ApiDeps): void {
  const ours = async (partner: CallingPartner, version: OcpiVersion, token: string) => {
    const roles = [await ourRole(deps, partner.networkId)];
    return ocpiSuccess(credentialsView(version, { token, url: ourVersionsUrl(deps), roles }));
  };

  app.route({
    method: 'GET',
    url: '/:version/credentials',
    config,
    schema: {
      tags: ['roaming'],
      operationId: 'ocpiGetCredentials',
      summary: 'Get our credentials, with the token of the request',
      params,
      response: { 200: OcpiEnvelope(Credentials, 'Our credentials.'), ...ocpiErrors('ROUTE_NOT_FOUND') },
    },
    handler: (request) => {
      const partner = partnerOf(request);
      return ours(partner, versionOf(deps, request.params.version), partner.shownToken);
    },
  });

  app.route({
    method: 'POST',
    url: '/:version/credentials',
    config,
    schema: {
      tags: ['roaming'],
      operationId: 'ocpiRegister',
      summary: 'Register; versions and endpoints of the other side are fetched before the response',
      description,
      params,
      body: CredentialsBody,
      response: {
        200: handshakeAnswer,
        ...handshakeErrors,
      },
    },
    handler: async (request) => {
      const version = versionOf(deps, request.params.version);
      const partner = partnerOf(request);
      if (partner.status === 'REGISTERED') {
        throw new DomainError(
          'OCPI_ALREADY_REGISTERED',
          'The party is already registered: use PUT to renew the credentials.',
        );
      }
      const sent = sentCredentials(request.body);
      const token = await registerPartner(deps, partner, version, sent, partnerActorOf(request));
      return ours(partner, version, token);
    },
  });

  app.route({
    method: 'PUT',
    url: '/:version/credentials',
    config,
    schema: {
      tags: ['roaming'],
      operationId: 'ocpiRenewRegistration',
      summary: 'Renew the registration or change the version; the response contains a new token',
      description,
      params,
      body: CredentialsBody,
      response: {
        200: handshakeAnswer,
        ...handshakeErrors,
      },
    },
    handler: async (request) => {
      const version = versionOf(deps, request.params.version);
      const partner = registered(partnerOf(request));
      const { theirToken, versionsUrl, roles } = partner;
      const known = {
        roles,
        ...(theirToken !== null && { token: deps.secrets.openText(theirToken) }),
        ...(versionsUrl !== null && { url: versionsUrl }),
      };
      const sent = sentCredentials(request.body, known);
      const token = await registerPartner(deps, partner, version, sent, partnerActorOf(request));
      return ours(partner, version, token);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/:version/credentials',
    config,
    schema: {
      tags: ['roaming'],
      operationId: 'ocpiUnregister',
      summary: 'End the registration and invalidate all tokens',
      params,
      response: { 200: OcpiDone, ...handshakeErrors },
    },
    handler: async (request) => {
      versionOf(deps, request.params.version);
      await unregisterPartner(deps, registered(partnerOf(request)));
      return ocpiDone();
    },
  });

  app.route({
    method: 'DELETE',
    url: '/:version/credentials/:country_code/:party_id',
    config,
    schema: {
      tags: ['roaming'],
      operationId: 'ocpiUnregisterParty',
      summary: 'End the registration of the given calling party',
      params: Type.Object({
        version: VersionParam,
        country_code: Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' }),
        party_id: Type.String({ description: 'OCPI party identifier.' }),
      }),
      response: { 200: OcpiDone, ...handshakeErrors, ...ocpiErrors('PARTNER_NOT_FOUND', 'ROUTE_NOT_FOUND') },
    },
    handler: async (request) => {
      const { version, country_code: countryCode, party_id: partyId } = request.params;
      versionOf(deps, version);
      const partner = registered(partnerOf(request));
      const isOwn = partner.roles.some(
        (role) => role.countryCode === countryCode.toUpperCase() && role.partyId === partyId.toUpperCase(),
      );
      if (!isOwn) throw new DomainError('PARTNER_NOT_FOUND', `The caller is not ${countryCode}-${partyId}.`);
      await unregisterPartner(deps, partner);
      return ocpiDone();
    },
  });
}

/**
 * Verifies the registration.
 * @throws {DomainError} OCPI_NOT_REGISTERED: PUT and DELETE require one (OCPI 2.2.1 §7.2).
 */
function registered(partner: CallingPartner): CallingPartner {
  if (partner.status === 'REGISTERED') return partner;
  throw new DomainError('OCPI_NOT_REGISTERED', 'The party is not registered: use POST.');
}
