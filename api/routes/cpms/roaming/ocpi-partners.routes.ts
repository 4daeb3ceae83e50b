import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  Flag,
  Formed,
  idParams,
  Named,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ourVersionsUrl } from '#api/services/roaming/our-credentials.ts';
import {
  changePartner,
  createPartner,
  deletePartner,
  listOwnPartners,
  readPartner,
  renewRegistrationToken,
} from '#api/services/roaming/partner-registry.ts';
import { CursorEnvelope, successSlice, VersionedEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import {
  AuthorizationOrder,
  HubPartiesName,
  IsNationalAccessPoint,
  Parties,
  Partner,
  PartnerStatusName,
  partnerView,
  QuirkChange,
  RateLimitPerHour,
  TokenValidDays,
  WriteScopes,
} from './ocpi-partner-view.ts';
import { PartnerDetail, partnerDetail, PartnerListed, partnerListed } from './ocpi-partner-detail.ts';
import { versioned } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';

const NewPartner = Closed({
  name: Text(100, 'Name of the partner.', 'Harbour Charging'),
  networkUuid: Type.Optional(Uuid('Network of the partner. Required when the caller has several networks.')),
  countryCode: Type.Optional(
    Formed('two upper-case letters (ISO 3166-1 alpha-2)', '^[A-Z]{2}$', {
      description: 'Country of the party (ISO 3166-1 alpha-2).',
      examples: ['NL'],
    }),
  ),
  partyId: Type.Optional(
    Formed('three upper-case letters or digits', '^[A-Z0-9]{3}$', {
      description: 'OCPI party identifier.',
      examples: ['HRB'],
    }),
  ),
  parties: Type.Optional(Parties),
  writeScopes: Type.Optional(WriteScopes),
  quirks: Type.Optional(QuirkChange),
  rateLimitPerHour: Type.Optional(RateLimitPerHour),
  hubParties: Type.Optional(HubPartiesName),
  isNationalAccessPoint: Type.Optional(IsNationalAccessPoint),
  tokenValidDays: Type.Optional(TokenValidDays),
});

const PartnerChange = Type.Object(
  {
    name: Type.Optional(Text(100, 'Name of the partner.', 'Harbour Charging')),
    isSuspended: Type.Optional(
      Flag('True suspends the partner: its requests get 403, and it receives no pushes.'),
    ),
    parties: Type.Optional(Parties),
    writeScopes: Type.Optional(WriteScopes),
    quirks: Type.Optional(QuirkChange),
    rateLimitPerHour: Type.Optional(RateLimitPerHour),
    authorizationOrder: Type.Optional(AuthorizationOrder),
    hubParties: Type.Optional(HubPartiesName),
    isNationalAccessPoint: Type.Optional(IsNationalAccessPoint),
    tokenValidDays: Type.Optional(TokenValidDays),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** Returns the new partner of a request. The party that the request names is granted first. */
function registrationOf({ countryCode, partyId, parties = [], ...rest }: Static<typeof NewPartner>) {
  const named = countryCode === undefined || partyId === undefined ? [] : [{ countryCode, partyId }];
  return { ...rest, networkUuid: rest.networkUuid, parties: [...named, ...parties] };
}

/** Data that a partner needs to register. */
const registration = {
  registrationToken: Str('Registration token of the partner. Shown this once; only its hash is stored.'),
  ourVersionsUrl: Str('Versions endpoint for the partner.'),
};

const params = idParams('Roaming partner');
const read = { scope: 'cpms:read:ocpi-partners' } as const;
const write = { scope: 'cpms:write:ocpi-partners' } as const;

/** Error codes of requests that grant a partner rights which the caller may lack. */
const grantErrors = ['SCOPE_MISSING', 'KEY_LIMIT_EXCEEDED'] as const;

const grantNote =
  'A partner sends commands and charging profiles to chargers. The caller therefore needs ' +
  '`cpms:command:remote-start`, `…:remote-stop`, `…:unlock-connector`, `…:reservation` and ' +
  '`…:charging-profile`; for the write scope `locations` also `cpms:write:locations`, `…:chargers` and ' +
  '`…:connectors`; and no rate or address limits.';

/** Registers the routes of roaming partners. */
export function ocpiPartnerRoutes(app: App, deps: ApiDeps): void {
  const partners = new VersionedResource(app, {
    path: '/ocpi-partners',
    name: 'Roaming partner',
    scopes: { read: read.scope, write: write.scope },
    notFound: 'PARTNER_NOT_FOUND',
  });

  operation(app, 'GET /ocpi-partners', read, {
    operationId: 'listOcpiPartners',
    summary: 'List roaming partners with the state of their pushes, oldest first',
    description:
      'The push state has the number of waiting objects, their age in seconds, and the last error.',
    querystring: Type.Object({ ...cursorQuery, ...networkQuery, status: Type.Optional(PartnerStatusName) }),
    response: {
      200: CursorEnvelope(PartnerListed, 'One page of partners.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { rows, nextCursor } = await listOwnPartners(deps, callerOf(request), {
        ...cursorOf(request.query),
        networkUuid: networkOf(request.query),
        status: request.query.status,
      });
      return successSlice(rows.map(partnerListed), nextCursor);
    },
  });

  partners.get({
    operationId: 'getOcpiPartner',
    summary: 'Get a roaming partner with its endpoints, its handshake and the state of its pushes',
    description:
      'The push state is shown for each module, with the number of waiting and failing objects. Tokens are ' +
      'never shown.',
    answer: [PartnerDetail, 'The partner.'],
    read: async (caller, uuid) => {
      const details = await readPartner(deps, caller, uuid);
      return [details.partner, partnerDetail(details)] as const;
    },
  });

  operation(app, 'POST /ocpi-partners', write, {
    operationId: 'createOcpiPartner',
    summary: 'Create a roaming partner with a registration token',
    description: grantNote,
    body: NewPartner,
    response: {
      201: VersionedEnvelope(
        Named('CreatedOcpiPartner', { ...Partner.properties, ...registration }),
        'The created partner.',
      ),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'OCPI_PARTY_EXISTS', ...grantErrors),
    },
    handler: async (request, reply) => {
      const { partner, token } = await createPartner(deps, actorOf(request), registrationOf(request.body));
      const registrationData = { registrationToken: token, ourVersionsUrl: ourVersionsUrl(deps) };
      return versioned(reply.code(201), partner, { ...partnerView(partner), ...registrationData });
    },
  });

  partners.patch({
    operationId: 'updateOcpiPartner',
    summary: 'Update a roaming partner',
    description: `Changes of parties, write scopes or rate limit, a position in \`authorizationOrder\`, \`hubParties\`, the mark \`isNationalAccessPoint\`, \`tokenValidDays\` and the end of a suspension require more scopes. ${grantNote}`,
    body: PartnerChange,
    answer: [Partner, 'The partner after the change.'],
    errors: ['OCPI_PARTY_EXISTS', ...grantErrors],
    change: async (by, uuid, expected, body) => {
      const partner = await changePartner(deps, by, uuid, expected, body);
      return [partner, partnerView(partner)] as const;
    },
  });

  operation(app, 'POST /ocpi-partners/:uuid/registration-token', write, {
    operationId: 'renewOcpiRegistrationToken',
    summary: 'Reset the registration of a partner and create a new registration token',
    description: grantNote,
    params,
    response: {
      200: VersionedEnvelope(
        Type.Object({ id: Uuid('Roaming partner identifier.'), ...registration }),
        'The new registration token.',
      ),
      ...cpmsErrors('PARTNER_NOT_FOUND', ...grantErrors),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const { partner, token } = await renewRegistrationToken(deps, actorOf(request), uuid);
      return versioned(reply, partner, {
        id: uuid,
        registrationToken: token,
        ourVersionsUrl: ourVersionsUrl(deps),
      });
    },
  });

  partners.delete({
    operationId: 'deleteOcpiPartner',
    summary: 'Delete a roaming partner and invalidate its tokens',
    description:
      "The partner's tokens are refused from the next request on, and nothing is sent to it any more. " +
      'Sessions and CDRs of its drivers stay.',
    answer: 'The partner is deleted.',
    remove: async (by, uuid, expected) => deletePartner(deps, by, uuid, expected),
  });
}
