import { Type } from 'typebox';
import {
  Closed,
  DateTime,
  Decimal,
  Flag,
  Formed,
  Integer,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { StoredExchange } from '#api/services/roaming/partner-registry.ts';
import { registrationStates } from '#shared/domain/roaming/registration.ts';
import { hubPartiesKinds, partnerWriteScopes } from '#shared/domain/roaming/ocpi.ts';
import type { PartnerRecord } from '#api/services/roaming/partners.service.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

export const PartnerStatusName = OneOf(
  ['PENDING', 'REGISTERED', 'SUSPENDED'],
  'Status of the partner. PENDING: holds a registration token. REGISTERED: credentials were exchanged. ' +
    'SUSPENDED: by an operator.',
);

const RegistrationName = OneOf(
  registrationStates,
  'State of the registration. NONE: no token on either side. INVITED: the partner holds our registration token. PREPARED: we ' +
    "hold the partner's token. EXCHANGING: our credentials were sent, without a usable answer yet. ANSWERED: the partner " +
    'accepted, and its answer is not stored as a registration yet. REGISTERED. RENEWING: a new token of ours was sent, without ' +
    'a usable answer yet.',
);

export const WriteScopes = Type.Array(OneOf(partnerWriteScopes), {
  maxItems: 10,
  description: 'Write access of the partner. locations: locations with their EVSEs and connectors.',
});

const tokenEncoding = OneOf(
  ['base64', 'raw'],
  "Encoding of the partner's token in our requests. OCPI 2.2.1 requires base64; many peers with 2.2 expect " +
    'raw.',
);

const httpStatus = OneOf(
  ['ocpi', 'rest'],
  'HTTP status of our responses below /ocpi/cpo/2.2.1. ocpi: as in the standard, 200 with `status_code` 2001 for an invalid ' +
    'request and 201 for a created token. rest: 400 for an invalid request and 200 for a created token.',
);

/** Deviations of a partner from the standard, in a request. */
export const QuirkChange = Closed({
  tokenEncoding: Type.Optional(tokenEncoding),
  httpStatus: Type.Optional(httpStatus),
});

/** Country and identifier of a party, in either case. */
export const CountryCode = Formed('two letters (ISO 3166-1 alpha-2)', '^[A-Za-z]{2}$', {
  description: 'Country of the party (ISO 3166-1 alpha-2).',
  examples: ['NL'],
});
export const PartyId = Formed('three letters or digits', '^[A-Za-z0-9]{3}$', {
  description: 'OCPI party identifier.',
  examples: ['HRB'],
});

/** Parties that an operator grants to a partner. */
export const Parties = Type.Array(
  Closed({
    countryCode: CountryCode,
    partyId: PartyId,
  }),
  {
    maxItems: 200,
    description:
      'Parties that the partner can name in its credentials and whose tokens it can write. A party belongs to ' +
      'one partner of a network.',
  },
);

/** Rate limit of a partner. */
export const RateLimitPerHour = Nullable(
  Integer('Maximum number of requests under /ocpi per hour. Null: no limit.', 3600, {
    minimum: 1,
    maximum: 2_147_483_647,
  }),
);

/** Position of a partner among those that authorize unknown cards. */
export const AuthorizationOrder = Nullable(
  Integer(
    'Position of the partner in the real-time authorization of cards that no partner has sent. The partner with the lowest position receives the request first. ' +
      'Null: the partner receives no requests.',
    1,
    { minimum: 1, maximum: 1000 },
  ),
);

/** Parties behind a hub. */
export const HubPartiesName = Nullable(
  OneOf(
    hubPartiesKinds,
    'Parties behind the partner, as a roaming hub, whose tokens, sessions and commands it carries. LISTED: those in `parties`. ' +
      'ANY: also each party that no partner of the network was granted. Null: the partner is no hub.',
  ),
);

/** Mark of a national access point. */
export const IsNationalAccessPoint = Flag(
  'True for a national access point, which is sent the names of the eMSPs of the network (`accepted_service_providers` of OCPI ' +
    '2.3.0). False, the default: the partner is not sent them, whatever role it has in its credentials.',
  false,
);

/** Validity of the tokens of a partner. */
export const TokenValidDays = Nullable(
  Integer(
    'Validity of each token that the partner gets from us, in days from its creation. A change counts from now on for the present ' +
      'token. In the last third, and at most 30 days before the end, new tokens are exchanged with PUT credentials. Null: tokens do ' +
      'not expire.',
    365,
    { minimum: 1, maximum: 3650 },
  ),
);

export const Partner = Named('OcpiPartnerSummary', {
  id: Uuid('Roaming partner identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  name: Str('Name of the partner.', 'Harbour Charging'),
  status: PartnerStatusName,
  registration: RegistrationName,
  countryCode: Nullable(
    Str(
      'Country of the party that the partner names first (ISO 3166-1 alpha-2). Null before the handshake when none was granted.',
      'NL',
    ),
  ),
  partyId: Nullable(
    Str('OCPI party that the partner names first. Null before the handshake when none was granted.', 'HRB'),
  ),
  parties: Parties,
  ocpiVersion: Nullable(Str('OCPI version agreed in the handshake. Null before the handshake.')),
  versionsUrl: Nullable(Str('Versions endpoint of the partner. Null before the handshake.')),
  roles: Type.Array(
    Type.Object({
      role: Str('OCPI role.', 'EMSP'),
      countryCode: Str(
        'Country of the party that the partner names first (ISO 3166-1 alpha-2). Null before the handshake when none was granted.',
        'NL',
      ),
      partyId: Str(
        'OCPI party that the partner names first. Null before the handshake when none was granted.',
        'HRB',
      ),
      name: Str('Name of the partner.', 'Harbour Charging'),
      website: Nullable(Str('URL of the website. Null if not set.', 'https://harbour.example')),
    }),
    { description: "Roles from the partner's credentials." },
  ),
  writeScopes: WriteScopes,
  quirks: Type.Object(
    { tokenEncoding, httpStatus },
    { description: 'Deviations of the partner from the standard.' },
  ),
  rateLimitPerHour: RateLimitPerHour,
  authorizationOrder: AuthorizationOrder,
  hubParties: HubPartiesName,
  isNationalAccessPoint: IsNationalAccessPoint,
  tokenValidDays: TokenValidDays,
  tokenExpiresAt: Nullable(
    DateTime(
      "Time at which the partner's token for our API expires. Before the registration: expiry of its registration token. Null: " +
        'it does not expire, or the partner has no token.',
    ),
  ),
  registeredAt: Nullable(DateTime('Time of the handshake. Null before it.')),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

/** Converts a partner, without its tokens. */
export function partnerView(partner: PartnerRecord) {
  return {
    id: partner.uuid,
    networkId: partner.networkId,
    networkUuid: partner.networkUuid,
    name: partner.name,
    status: partner.status,
    registration: partner.registration,
    countryCode: partner.countryCode,
    partyId: partner.partyId,
    parties: partner.parties,
    ocpiVersion: partner.ocpiVersion,
    versionsUrl: partner.versionsUrl,
    roles: partner.roles.map(({ role, countryCode, partyId, businessDetails }) => ({
      role,
      countryCode,
      partyId,
      name: businessDetails.name,
      website: businessDetails.website,
    })),
    writeScopes: partner.writeScopes,
    quirks: partner.quirks,
    rateLimitPerHour: partner.rateLimitPerHour,
    authorizationOrder: partner.authorizationOrder,
    hubParties: partner.hubParties,
    isNationalAccessPoint: partner.isNationalAccessPoint,
    tokenValidDays: partner.tokenValidDays,
    tokenExpiresAt: partner.tokenExpiresAt?.toISOString() ?? null,
    registeredAt: partner.registeredAt?.toISOString() ?? null,
    version: partner.version,
    createdAt: partner.createdAt.toISOString(),
    updatedAt: partner.updatedAt.toISOString(),
  };
}

export const Exchange = Named('OcpiExchange', {
  time: DateTime('Time of the request.'),
  direction: OneOf(['in', 'out'], 'Direction of the request. in: from the partner. out: to the partner.'),
  module: Str('OCPI module.'),
  method: Str('HTTP method.'),
  url: Str('URL.', 'https://harbour.example/quay.jpg'),
  httpStatus: Nullable(Integer('HTTP status of the response. Null without a response.')),
  ocpiStatus: Nullable(Integer('OCPI status of the response. Null without one.')),
  latencyMs: Decimal('Time until the response, in ms.'),
  requestId: Str('OCPI request identifier of the exchange.'),
  correlationId: Str('OCPI correlation identifier of the exchange.'),
  request: Str('Request body with masked tokens, cut at 16,384 characters.'),
  response: Str('Response body with masked tokens, cut at 16,384 characters.'),
  error: Nullable(Str('Reason that there was no response. Null when there was one.')),
});

export function exchangeView({ id: _id, digest: _digest, ...exchange }: StoredExchange) {
  return {
    ...exchange,
    time: exchange.time.toISOString(),
    httpStatus: exchange.httpStatus === 0 ? null : exchange.httpStatus,
    ocpiStatus: exchange.ocpiStatus === 0 ? null : exchange.ocpiStatus,
    error: exchange.error === '' ? null : exchange.error,
  };
}
