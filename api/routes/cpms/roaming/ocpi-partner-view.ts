import { Type } from 'typebox';
import { DateTime, Named, NetworkNumber, Nullable, OneOf, Uuid, Formed } from '#api/routes/schema.ts';
import type { PushState, StoredExchange } from '#api/services/roaming/partner-registry.ts';
import { interfaceRoles, type OcpiEndpoint, partnerWriteScopes } from '#shared/domain/roaming/ocpi.ts';
import type { PartnerRecord } from '#api/services/roaming/partners.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

export const PartnerStatusName = OneOf(
  ['PENDING', 'REGISTERED', 'SUSPENDED'],
  'Status of the partner. PENDING: holds a registration token. REGISTERED: credentials were exchanged. ' +
    'SUSPENDED: by an operator.',
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

/** Deviations of a partner from the standard, in a request. */
export const QuirkChange = Type.Object(
  { tokenEncoding: Type.Optional(tokenEncoding) },
  { additionalProperties: false },
);

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
  Type.Object(
    {
      countryCode: CountryCode,
      partyId: PartyId,
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 200,
    description:
      'Parties that the partner can name in its credentials and whose tokens it can write. A party belongs to ' +
      'one partner of a network.',
  },
);

/** Rate limit of a partner. */
export const RateLimitPerHour = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Maximum number of requests under /ocpi per hour. Null: no limit.',
    examples: [3600],
  }),
);

export const Partner = Named('OcpiPartnerSummary', {
  id: Uuid('Roaming partner identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network identifier.'),
  name: Type.String({ description: 'Name of the partner.', examples: ['Harbour Charging'] }),
  status: PartnerStatusName,
  countryCode: Nullable(
    Type.String({
      description:
        'Country of the party that the partner names first (ISO 3166-1 alpha-2). Null before the handshake when none was granted.',
      examples: ['NL'],
    }),
  ),
  partyId: Nullable(
    Type.String({
      description:
        'OCPI party that the partner names first. Null before the handshake when none was granted.',
      examples: ['HRB'],
    }),
  ),
  parties: Parties,
  ocpiVersion: Nullable(
    Type.String({ description: 'OCPI version agreed in the handshake. Null before the handshake.' }),
  ),
  versionsUrl: Nullable(
    Type.String({ description: 'Versions endpoint of the partner. Null before the handshake.' }),
  ),
  roles: Type.Array(
    Type.Object({
      role: Type.String({ description: 'OCPI role.', examples: ['EMSP'] }),
      countryCode: Type.String({
        description:
          'Country of the party that the partner names first (ISO 3166-1 alpha-2). Null before the handshake when none was granted.',
        examples: ['NL'],
      }),
      partyId: Type.String({
        description:
          'OCPI party that the partner names first. Null before the handshake when none was granted.',
        examples: ['HRB'],
      }),
      name: Type.String({ description: 'Name of the partner.', examples: ['Harbour Charging'] }),
      website: Nullable(
        Type.String({
          description: 'URL of the website. Null when there is none.',
          examples: ['https://harbour.example'],
        }),
      ),
    }),
    { description: "Roles from the partner's credentials." },
  ),
  writeScopes: WriteScopes,
  quirks: Type.Object({ tokenEncoding }, { description: 'Deviations of the partner from the standard.' }),
  rateLimitPerHour: RateLimitPerHour,
  registeredAt: Nullable(DateTime('Time of the handshake. Null before it.')),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

export const PartnerDetail = Named('OcpiPartner', {
  ...Partner.properties,
  endpoints: Type.Array(
    Type.Object({
      identifier: Type.String({ description: 'OCPI module identifier.', examples: ['QUAY-1'] }),
      role: OneOf(interfaceRoles, 'OCPI role.'),
      url: Type.String({ description: 'URL.', examples: ['https://harbour.example/quay.jpg'] }),
    }),
    { description: 'Module endpoints of the partner, from the handshake.' },
  ),
  push: Type.Object(
    {
      breaker: OneOf(
        ['CLOSED', 'OPEN', 'HALF_OPEN'],
        'State of the circuit breaker. CLOSED: pushes are sent. OPEN: none are sent after repeated failures. ' +
          'HALF_OPEN: one push tests the connection.',
      ),
      failures: Type.Integer({ description: 'Number of consecutive failures.' }),
      nextTryAt: Nullable(DateTime('Time of the next attempt. Null unless the breaker is open.')),
      waiting: Type.Integer({ description: 'Number of objects to be sent.' }),
      lagSeconds: Type.Number({
        description: 'Age in seconds of the oldest object to be sent. 0 without one.',
      }),
      sent: Type.Integer({
        description: 'Number of requests that the partner accepted since its registration.',
      }),
      failed: Type.Integer({ description: 'Number of requests that failed since the registration.' }),
      lastSentAt: Nullable(DateTime('Time of the latest successful push. Null before the first one.')),
      lastFailedAt: Nullable(DateTime('Time of the latest failed push. Null when none failed.')),
      lastError: Nullable(
        Type.String({ description: 'Error of the latest failed push. Null when none failed.' }),
      ),
    },
    { description: 'State of the pushes to the partner.' },
  ),
});

/** Converts a partner, without its tokens. */
export function partnerView(partner: PartnerRecord) {
  return {
    id: partner.uuid,
    networkId: partner.networkId,
    networkUuid: partner.networkUuid,
    name: partner.name,
    status: partner.status,
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
    registeredAt: partner.registeredAt?.toISOString() ?? null,
    version: partner.version,
    createdAt: partner.createdAt.toISOString(),
    updatedAt: partner.updatedAt.toISOString(),
  };
}

export function partnerDetail(partner: PartnerRecord, endpoints: OcpiEndpoint[], push: PushState) {
  return { ...partnerView(partner), endpoints, push: pushView(push) };
}

function pushView({ openUntil, waitingSince, lastSentAt, lastFailedAt, ...push }: PushState) {
  return {
    breaker: push.breaker,
    failures: push.failures,
    nextTryAt: openUntil?.toISOString() ?? null,
    waiting: push.waiting,
    lagSeconds: waitingSince === null ? 0 : Math.max(0, (Date.now() - waitingSince.getTime()) / 1000),
    sent: Number(push.sent),
    failed: Number(push.failed),
    lastSentAt: lastSentAt?.toISOString() ?? null,
    lastFailedAt: lastFailedAt?.toISOString() ?? null,
    lastError: push.lastError,
  };
}

export const Exchange = Named('OcpiExchange', {
  time: DateTime('Time of the request.'),
  direction: OneOf(['in', 'out'], 'Direction of the request. in: from the partner. out: to the partner.'),
  module: Type.String({ description: 'OCPI module.' }),
  method: Type.String({ description: 'HTTP method.' }),
  url: Type.String({ description: 'URL.', examples: ['https://harbour.example/quay.jpg'] }),
  httpStatus: Nullable(
    Type.Integer({ description: 'HTTP status of the response. Null without a response.' }),
  ),
  ocpiStatus: Nullable(Type.Integer({ description: 'OCPI status of the response. Null without one.' })),
  latencyMs: Type.Number({ description: 'Time until the response, in ms.' }),
  requestId: Type.String({ description: 'OCPI request identifier of the exchange.' }),
  correlationId: Type.String({ description: 'OCPI correlation identifier of the exchange.' }),
  request: Type.String({ description: 'Request body with masked tokens, cut at 16,384 characters.' }),
  response: Type.String({ description: 'Response body with masked tokens, cut at 16,384 characters.' }),
  error: Nullable(
    Type.String({ description: 'Reason that there was no response. Null when there was one.' }),
  ),
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
