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
import { Credentials, CredentialsBody, credentialsView, sentCredentials } from './credentials-view.ts';
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

/** The answer to a handshake, which has the HTTP status of a success when your side cannot be used. */
const handshakeAnswer = {
  ...OcpiEnvelope(Credentials, 'Our credentials, with your new token'),
  codes: handshakeFaults,
};

const description =
  'What cannot be used of your side is answered with 200 and status_code 3001 (your versions or details do not answer with your ' +
  'token), 3002 (they do not list this version) or 3003 (no credentials endpoint); then nothing has changed. The roles may name ' +
  'the parties that the operator granted to you alone: others are refused with 2001 (OCPI_PARTY_NOT_GRANTED).';

/** How two parties get to know each other (OCPI 2.2.1 §7). */
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
      summary: 'Our credentials, with the token that the request showed',
      params,
      response: { 200: OcpiEnvelope(Credentials, 'Our credentials'), ...ocpiErrors('ROUTE_NOT_FOUND') },
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
      summary: 'Register: your versions and endpoints are asked for before the answer',
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
          'You are registered: use PUT to renew your credentials.',
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
      summary: 'Renew the registration, or change the version: as POST, with a new token',
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
        ...(theirToken !== null && { token: theirToken }),
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
      summary: 'End the registration: no token is good any more',
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
      summary: 'End the registration of the calling party',
      params: Type.Object({ version: VersionParam, country_code: Type.String(), party_id: Type.String() }),
      response: { 200: OcpiDone, ...handshakeErrors, ...ocpiErrors('PARTNER_NOT_FOUND', 'ROUTE_NOT_FOUND') },
    },
    handler: async (request) => {
      const { version, country_code: countryCode, party_id: partyId } = request.params;
      versionOf(deps, version);
      const partner = registered(partnerOf(request));
      const isOwn = partner.roles.some(
        (role) => role.countryCode === countryCode.toUpperCase() && role.partyId === partyId.toUpperCase(),
      );
      if (!isOwn) throw new DomainError('PARTNER_NOT_FOUND', `You are not ${countryCode}-${partyId}.`);
      await unregisterPartner(deps, partner);
      return ocpiDone();
    },
  });
}

/** @throws {DomainError} OCPI_NOT_REGISTERED: PUT and DELETE are for those who are (OCPI 2.2.1 §7.2). */
function registered(partner: CallingPartner): CallingPartner {
  if (partner.status === 'REGISTERED') return partner;
  throw new DomainError('OCPI_NOT_REGISTERED', 'You are not registered: use POST.');
}
