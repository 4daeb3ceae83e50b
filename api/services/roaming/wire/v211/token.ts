import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { OcpiTokenType } from '#shared/domain/roaming/roaming.ts';
import type { OcpiTokenRecord } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import {
  type Token as Token221,
  type TokenPatch as TokenPatch221,
  removableFields,
  sentToken as sentToken221,
  tokenFields,
  tokenView as tokenView221,
} from '#api/services/roaming/wire/v221/token.ts';

/** Token types of OCPI 2.1.1. */
export const tokenTypes = ['OTHER', 'RFID'] as const;
type TokenType = (typeof tokenTypes)[number];

const {
  uid,
  contract_id: authId,
  visual_number,
  issuer,
  valid,
  whitelist,
  language,
  last_updated,
} = tokenFields;
const type = Type.Unsafe<TokenType>({ type: 'string', enum: [...tokenTypes] });

/** A token (OCPI 2.1.1): its party is in the path. */
export const Token = Type.Object(
  { uid, type, auth_id: authId, visual_number, issuer, valid, whitelist, language, last_updated },
  { title: 'Ocpi211Token' },
);
export type Token = Static<typeof Token>;

/** Token change of a partner. */
export const TokenPatch = Type.Partial(
  Type.Object({
    ...Token.properties,
    visual_number: removableFields.visual_number,
    language: removableFields.language,
  }),
  { title: 'Ocpi211TokenPatch' },
);
export type TokenPatch = Static<typeof TokenPatch>;

/** Returns the type of a token: 2.1.1 knows cards and others. */
export function typeIn211({ type: stored }: { type: OcpiTokenType }): TokenType {
  return stored === 'RFID' ? 'RFID' : 'OTHER';
}

export function tokenView(record: OcpiTokenRecord): Token {
  const { country_code: _country, party_id: _party, contract_id: contract, ...token } = tokenView221(record);
  const { group_id: _group, default_profile_type: _profile, energy_contract: _energy, ...same } = token;
  return { ...same, type: typeIn211(record), auth_id: contract };
}

/** Converts a partner's token of a party to the form of 2.2.1. */
export function token221({ auth_id: contract, ...same }: Token, party: PartyOnWire): Token221 {
  const { country_code, party_id } = party;
  return { ...same, country_code, party_id, contract_id: contract };
}

/** Converts a partner's change of a token to the form of 2.2.1. */
export function patch221({ auth_id: contract, ...same }: TokenPatch): TokenPatch221 {
  return { ...same, ...(contract !== undefined && { contract_id: contract }) };
}

/** Returns a token of a partner's list as a record. Null: it cannot be read. */
export function sentToken(sent: unknown, party: PartyOnWire | null): OcpiTokenRecord | null {
  return party !== null && Check(Token, sent) ? sentToken221(token221(sent, party)) : null;
}
