import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { type OcpiTokenType, ocpiTokenTypes } from '#shared/domain/roaming/roaming.ts';
import type { OcpiTokenRecord } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import {
  recordOrNull,
  removableFields,
  tokenFields,
  tokenView as tokenView221,
} from '#api/services/roaming/wire/v221/token.ts';

const type = Type.Unsafe<OcpiTokenType>({ type: 'string', enum: [...ocpiTokenTypes] });

/** A token (OCPI 2.3.0). */
export const Token = Type.Object({ ...tokenFields, type }, { title: 'Ocpi230Token' });
export type Token = Static<typeof Token>;

/** Token change of a partner. */
export const TokenPatch = Type.Partial(Type.Object({ ...Token.properties, ...removableFields }), {
  title: 'Ocpi230TokenPatch',
});

/** E-mobility account identifier, with or without its hyphens and check digit (ISO 15118, eMI3). */
const emaid = /^[A-Z]{2}-?[A-Z0-9]{3}-?[A-Z0-9]{9}(?:-?[A-Z0-9])?$/i;
/** Uid of a card with 7 bytes, which has the length of an EMAID. */
const cardUid = /^[0-9A-F]{14}$/i;

/** Returns the type of a card that no partner has sent. */
export function unknownType(uid: string): OcpiTokenType {
  return emaid.test(uid) && !cardUid.test(uid) ? 'EMAID' : 'RFID';
}

export function tokenView(record: OcpiTokenRecord): Token {
  return { ...tokenView221(record), type: record.type };
}

/** Returns a token of a partner's list as a record. Null: it cannot be read. */
export function sentToken(sent: unknown): OcpiTokenRecord | null {
  return Check(Token, sent) ? recordOrNull(sent) : null;
}
