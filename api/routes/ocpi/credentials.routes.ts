import { type TSchema, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { handshakeFaults } from '#api/plugins/error-bodies.ts';
import { partnerActorOf, partnerOf } from '#api/plugins/ocpi-partner.ts';
import { operation } from '#api/routes/operation.ts';
import { Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { registerPartner, unregisterPartner } from '#api/services/roaming/handshake.service.ts';
import { ourRole, ourVersionsUrl } from '#api/services/roaming/our-credentials.ts';
import type { CallingPartner } from '#api/services/roaming/partners.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { OcpiVersion } from '#shared/domain/roaming/ocpi.ts';
import { serializerFor } from '#api/services/roaming/wire/serializer.ts';
import { credentials221 } from '#api/services/roaming/wire/v211/credentials.ts';
import { type CredentialsBody, sentCredentials } from '#api/services/roaming/wire/v221/credentials.ts';
import {
  Credentials,
  CredentialsRequest,
  FlatCredentials,
  FlatCredentialsRequest,
} from './credentials-view.ts';
import { type BodyForm, bodyForm } from './form.ts';
import { OcpiDone, ocpiDone, OcpiEnvelope, ocpiErrors, ocpiSuccess } from './envelope.ts';
import { VersionParam, versionOf } from './versions.ts';

const config = { ocpiModule: 'credentials', beforeRegistration: true };

/** Credentials on the paths of some versions. */
interface CredentialsForms {
  /** Version of the paths. Null: it is a part of the path. */
  version: OcpiVersion | null;
  /** Suffix of the operation ids. */
  end: string;
  /** Our credentials, in the form of the version. */
  schema: TSchema;
  body: BodyForm<CredentialsBody>;
}

/** Credentials since 2.2. */
const credentials: CredentialsForms = {
  version: null,
  end: '',
  schema: Credentials,
  body: bodyForm(CredentialsRequest, (body) => body),
};

/** Credentials of 2.1.1, with one party. */
const flatCredentials: CredentialsForms = {
  version: '2.1.1',
  end: '211',
  schema: FlatCredentials,
  body: bodyForm(FlatCredentialsRequest, credentials221),
};
const handshakeErrors = ocpiErrors(
  'ROUTE_NOT_FOUND',
  'OCPI_ALREADY_REGISTERED',
  'OCPI_NOT_REGISTERED',
  'OCPI_PARTY_NOT_GRANTED',
);

/** Response to a handshake. It has HTTP status 200 when the endpoints of the other side cannot be used. */
const handshakeAnswer = ({ schema }: CredentialsForms) => ({
  ...OcpiEnvelope(schema, 'Our credentials with a new token.'),
  codes: handshakeFaults,
});

const description =
  'Endpoints of the other side that cannot be used give a response 200 with status_code 3001 (the versions or details do ' +
  'not accept the token), 3002 (they do not list this version) or 3003 (no credentials endpoint); nothing has changed then. ' +
  'The roles can contain the parties that the operator granted to the partner; others are rejected with 2001 (OCPI_PARTY_NOT_GRANTED). ' +
  'A hub must send its own party, with the role HUB or in hub_party_id. Parties behind it are optional; parties that it does not represent are dropped.';

/** Registers the routes of the handshake between two parties (OCPI 2.2.1 §7). */
export function credentialsRoutes(app: App, deps: ApiDeps): void {
  credentialsIn(app, deps, credentials);
  partyRoute(app, deps);
  if (deps.settings.ocpiStrict) credentialsIn(app, deps, flatCredentials);
}

function credentialsIn(app: App, deps: ApiDeps, forms: CredentialsForms): void {
  const { end, schema, body } = forms;
  const url = `/${forms.version ?? ':version'}/credentials`;
  const params = Type.Object(forms.version === null ? { version: VersionParam } : {});
  const versionIn = (path: { version?: string }) => versionOf(deps, forms.version ?? path.version ?? '');
  const ours = async (partner: CallingPartner, version: OcpiVersion, token: string) => {
    const roles = [await ourRole(deps, partner.networkId)];
    const own = { token, url: ourVersionsUrl(deps), roles };
    return ocpiSuccess(serializerFor(version).credentials(own));
  };

  operation(app, `GET ${url}`, config, {
    operationId: `ocpiGetCredentials${end}`,
    summary: 'Get our credentials, with the token of the request',
    description: 'The role is the party of the network that the partner belongs to.',
    params,
    response: { 200: OcpiEnvelope(schema, 'Our credentials.'), ...ocpiErrors('ROUTE_NOT_FOUND') },
    handler: (request) => {
      const partner = partnerOf(request);
      return ours(partner, versionIn(request.params), partner.shownToken);
    },
  });

  operation(app, `POST ${url}`, config, {
    operationId: `ocpiRegister${end}`,
    summary: 'Register; versions and endpoints of the other side are fetched before the response',
    description,
    params,
    body: body.schema,
    response: {
      200: handshakeAnswer(forms),
      ...handshakeErrors,
    },
    handler: async (request) => {
      const version = versionIn(request.params);
      const partner = partnerOf(request);
      if (partner.status === 'REGISTERED') {
        throw new DomainError(
          'OCPI_ALREADY_REGISTERED',
          'The party is already registered: use PUT to renew the credentials.',
        );
      }
      const sent = sentCredentials(body.read(request.body, undefined));
      const token = await registerPartner(deps, partner, version, sent, partnerActorOf(request));
      return ours(partner, version, token);
    },
  });

  operation(app, `PUT ${url}`, config, {
    operationId: `ocpiRenewRegistration${end}`,
    summary: 'Renew the registration or change the version; the response contains a new token',
    description,
    params,
    body: body.schema,
    response: {
      200: handshakeAnswer(forms),
      ...handshakeErrors,
    },
    handler: async (request) => {
      const version = versionIn(request.params);
      const partner = registered(partnerOf(request));
      const { theirToken, versionsUrl, roles } = partner;
      const known = {
        roles,
        ...(theirToken !== null && { token: deps.secrets.openText(theirToken) }),
        ...(versionsUrl !== null && { url: versionsUrl }),
      };
      const sent = sentCredentials(body.read(request.body, undefined), known);
      const token = await registerPartner(deps, partner, version, sent, partnerActorOf(request));
      return ours(partner, version, token);
    },
  });

  operation(app, `DELETE ${url}`, config, {
    operationId: `ocpiUnregister${end}`,
    summary: 'End the registration and invalidate all tokens',
    description:
      'Nothing is sent to the partner any more. Sessions and CDRs stay. A new registration needs a new token ' +
      'from the operator.',
    params,
    response: { 200: OcpiDone, ...handshakeErrors },
    handler: async (request) => {
      versionIn(request.params);
      await unregisterPartner(deps, registered(partnerOf(request)));
      return ocpiDone();
    },
  });
}

/** Registers the route of the documented surface that names the party whose registration ends. */
function partyRoute(app: App, deps: ApiDeps): void {
  operation(app, 'DELETE /:version/credentials/:country_code/:party_id', config, {
    operationId: 'ocpiUnregisterParty',
    summary: 'End the registration of the given calling party',
    description:
      'The party must be a role of the calling partner. The whole registration ends, as with DELETE without a ' +
      'party.',
    params: Type.Object({
      version: VersionParam,
      country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
      party_id: Str('OCPI party identifier.'),
    }),
    response: { 200: OcpiDone, ...handshakeErrors, ...ocpiErrors('PARTNER_NOT_FOUND', 'ROUTE_NOT_FOUND') },
    handler: async (request) => {
      const { version, country_code: countryCode, party_id: partyId } = request.params;
      versionOf(deps, version);
      const partner = registered(partnerOf(request));
      // A party behind a hub does not end the registration of the others.
      const own: Pick<CallingPartner, 'countryCode' | 'partyId'>[] =
        partner.hubParties === null ? partner.roles : [partner];
      const isOwn = own.some(
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
