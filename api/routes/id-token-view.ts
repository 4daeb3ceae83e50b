import { Type } from 'typebox';
import { type IdTokenDetailRecord, statusOfToken } from '#api/services/people/id-tokens.ts';
import { whitelists } from '#shared/domain/charging/authorization.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { DateTime, isoOrNull, Nullable, OneOf, Text, Uuid, Formed } from './schema.ts';

/** What a token is named by: fixed when it is made. */
export const tokenNames = {
  uid: Formed(
    '1 to 36 visible ASCII characters without spaces: what chargers are shown. Unique within the network, without regard to case',
    '^[!-~]+$',
    { minLength: 1, maxLength: 36, examples: ['04A1B2C3D4E5F6'], description: 'Unique identifier.' },
  ),
};

export const TokenType = OneOf(idTokenTypes, 'RFID: a card; the others are made by apps');

/** What may be told of a token beside. */
const tokenFields = {
  userId: Nullable(Uuid("Whose sessions it starts; null: nobody's")),
  expiresAt: Nullable(DateTime('From when on it charges no more')),
  visualNumber: Nullable(
    Text(64, {
      description: 'Number printed on the card. Null when there is none.',
      examples: ['0042 7711'],
    }),
  ),
  issuer: Nullable(
    Text(64, { description: 'Issuer of the token. Null when unknown.', examples: ['Harbour Charging'] }),
  ),
  contractId: Nullable(
    Text(36, {
      description: 'Contract identifier of the token (eMAID). Null when it has none.',
      examples: ['NL-HRB-C00000042-X'],
    }),
  ),
  groupId: Nullable(
    Formed(
      "1 to 36 visible ASCII characters: tokens of a group end each other's sessions (OCPP parentIdTag, groupIdToken)",
      '^[!-~]+$',
      { minLength: 1, maxLength: 36, description: 'Group of tokens to filter by.', examples: ['FLEET-7'] },
    ),
  ),
  whitelist: OneOf(
    whitelists,
    'Whether a charger may decide by itself, as in OCPI; NEVER: it is left out of local lists, and remembered for five minutes',
  ),
};

export const { properties: optionalTokenFields } = Type.Partial(Type.Object(tokenFields));

const statuses = ['Accepted', 'Blocked', 'Expired', 'Invalid'] as const;

/** What both families show of a token. */
export const shownToken = {
  id: Uuid('Token identifier.'),
  ...tokenNames,
  tokenType: TokenType,
  ...tokenFields,
  valid: Type.Boolean({ description: 'Whether it may charge now' }),
  status: OneOf(statuses, 'What a charger is answered now; Invalid: it was invalidated for good'),
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
};

/** The filters of both families' lists. */
export const tokenQuery = {
  userId: Type.Optional(Uuid('Driver to filter by.')),
  tokenType: Type.Optional(TokenType),
  valid: Type.Optional(Type.Boolean({ description: 'Whether it may charge now' })),
};

/** Chargers that are still to be told. */
export const Holders = Type.Object(
  {
    chargers: Type.Integer({ description: 'That may still believe more of it than is so', examples: [4] }),
    offline: Type.Integer({
      description: 'Of them: not connected; they are told when they are back',
      examples: [1],
    }),
  },
  {
    description:
      'Chargers that hold the token in their cache or local list and were not told yet. Online, each of them asks or is corrected',
  },
);

/** What both families show of a token. */
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

/** The times and names of a request's token, as the services take them. */
export function toldToken<T extends { userId?: string | null; expiresAt?: string | null }>(body: T) {
  const { userId, expiresAt, ...rest } = body;
  return {
    ...rest,
    ...(userId !== undefined && { userUuid: userId }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}
