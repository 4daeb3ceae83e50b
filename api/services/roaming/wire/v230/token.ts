import { type Static, Type } from 'typebox';
import type { CdrToken } from '#shared/domain/roaming/roaming.ts';
import { type IdTokenType, idTokenTypes } from '#shared/domain/charging/session.ts';
import type { OcpiTokenRecord } from '#shared/postgres/roaming/ocpi-tokens.ts';
import { Check } from 'typebox/value';
import {
  type Token as Token221,
  type TokenPatch as TokenPatch221,
  sentToken as sentToken221,
  tokenFields,
  tokenView as tokenView221,
} from '#api/services/roaming/wire/v221/token.ts';

/** Token types of OCPI 2.3.0. */
export const tokenTypes = [...idTokenTypes, 'EMAID'] as const;
export type TokenType = (typeof tokenTypes)[number];

const type = Type.Unsafe<TokenType>({ type: 'string', enum: [...tokenTypes] });

/** A token (OCPI 2.3.0). */
export const Token = Type.Object({ ...tokenFields, type }, { title: 'Ocpi230Token' });
export type Token = Static<typeof Token>;

/** Token change of a partner. */
export const TokenPatch = Type.Partial(Token, { title: 'Ocpi230TokenPatch' });
export type TokenPatch = Static<typeof TokenPatch>;

/** E-mobility account identifier, with or without its hyphens and check digit (ISO 15118, eMI3). */
const emaid = /^[A-Za-z]{2}-?[A-Za-z0-9]{3}-?[A-Za-z0-9]{9}(?:-?[A-Za-z0-9])?$/;

/**
 * Returns the type of a token. EMAID, which earlier versions do not have, is OTHER in our records: the uid of such a token
 * has the form of an EMAID.
 */
export function typeIn230({ uid, type: stored }: { uid: string; type: IdTokenType }): TokenType {
  return stored === 'OTHER' && emaid.test(uid) ? 'EMAID' : stored;
}

/** Returns the type under which a token is stored. */
export function storedType(sent: TokenType): IdTokenType {
  return sent === 'EMAID' ? 'OTHER' : sent;
}

export function tokenView(record: OcpiTokenRecord): Token {
  return { ...tokenView221(record), type: typeIn230(record) };
}

/** Converts the token of a session or CDR. */
export function cdrToken(token: CdrToken) {
  return { ...token, type: typeIn230(token) };
}

/** Converts a partner's token to the form of 2.2.1. */
export function token221(sent: Token): Token221 {
  return { ...sent, type: storedType(sent.type) };
}

/** Converts a partner's change of a token to the form of 2.2.1. */
export function patch221({ type: sentType, ...patch }: TokenPatch): TokenPatch221 {
  return { ...patch, ...(sentType !== undefined && { type: storedType(sentType) }) };
}

/** Returns a token of a partner's list as a record. Null: it cannot be read. */
export function sentToken(sent: unknown): OcpiTokenRecord | null {
  return Check(Token, sent) ? sentToken221(token221(sent)) : null;
}
