import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { Type } from 'typebox';
import { type IdTokenDetailRecord, statusOfToken } from '#api/services/people/id-tokens.service.ts';
import { whitelists } from '#shared/domain/charging/authorization.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { DateTime, Flag, Formed, Integer, isoOrNull, Nullable, OneOf, Text, Uuid } from './schema.ts';

/** Identifying fields of a token, fixed at creation. */
export const tokenNames = {
  uid: Formed(`1 to ${longestIdTokenLimit} visible ASCII characters without spaces`, '^[!-~]+$', {
    minLength: 1,
    maxLength: longestIdTokenLimit,
    examples: ['04A1B2C3D4E5F6'],
    description:
      'Unique identifier. Chargers of OCPP 1.6 accept up to 20 characters, of 2.0.1 up to 36, and roaming partners up to 36.',
  }),
};

export const TokenType = OneOf(
  idTokenTypes,
  'Kind of the token. RFID: a card. The others are issued by apps.',
);

/** Fields of a token that can change. */
export const tokenFields = {
  userId: Nullable(Uuid('Driver whose sessions the token starts. Null when it belongs to no driver.')),
  expiresAt: Nullable(DateTime('Time from which the token is rejected. Null: no expiry.')),
  visualNumber: Nullable(Text(64, 'Number printed on the card. Null if not set.', '0042 7711')),
  issuer: Nullable(Text(64, 'Issuer of the token. Null when unknown.', 'Harbour Charging')),
  contractId: Nullable(
    Text(36, 'Contract identifier of the token (eMAID). Null when it has none.', 'NL-HRB-C00000042-X'),
  ),
  groupId: Nullable(
    Formed('1 to 36 visible ASCII characters without spaces', '^[!-~]+$', {
      minLength: 1,
      maxLength: 36,
      description: 'Group of tokens to filter by.',
      examples: ['FLEET-7'],
    }),
  ),
  whitelist: OneOf(
    whitelists,
    'Rule for accepting the token without asking the server (OCPI `whitelist`). NEVER: not in local lists, ' +
      'and cached by chargers for five minutes.',
  ),
};

export const { properties: optionalTokenFields } = Type.Partial(Type.Object(tokenFields));

const statuses = ['Accepted', 'Blocked', 'Expired', 'Invalid'] as const;

/** Fields of a token in both API families. */
export const shownToken = {
  id: Uuid('Token identifier.'),
  ...tokenNames,
  tokenType: TokenType,
  ...tokenFields,
  valid: Flag('True when the token can start a session now.'),
  status: OneOf(
    statuses,
    'Answer that chargers receive for the token now. Invalid: permanently invalidated.',
  ),
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
};

/** Filters of the token lists of both API families. */
export const tokenQuery = {
  userId: Type.Optional(Uuid('Driver to filter by.')),
  tokenType: Type.Optional(TokenType),
  valid: Type.Optional(Flag('True when the token can start a session now.')),
};

/** Number of chargers with an outdated state of the token. */
export const Holders = Type.Object(
  {
    chargers: Integer('Number of chargers that may hold an outdated state of the token.', 4),
    offline: Integer('Number of these chargers that are offline. They are notified when they reconnect.', 1),
  },
  {
    description:
      'Chargers that hold an outdated state of the token in their cache or local list and were not notified ' +
      'yet.',
  },
);

/** Fields of a token in both API families. */
export function tokenView(token: IdTokenDetailRecord) {
  const status = statusOfToken(token) as (typeof statuses)[number];
  return {
    id: token.uuid,
    uid: token.uid,
    tokenType: token.type,
    userId: token.userUuid,
    expiresAt: isoOrNull(token.expiresAt),
    visualNumber: token.visualNumber,
    issuer: token.issuer,
    contractId: token.contractId,
    groupId: token.groupId,
    whitelist: token.whitelist,
    valid: status === 'Accepted',
    status,
    createdAt: token.createdAt.toISOString(),
    updatedAt: token.updatedAt.toISOString(),
  };
}

/** Converts the fields of a token from the request to the services. */
export function storedTokenFields<T extends { userId?: string | null; expiresAt?: string | null }>(body: T) {
  const { userId, expiresAt, ...rest } = body;
  return {
    ...rest,
    ...(userId !== undefined && { userUuid: userId }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}
