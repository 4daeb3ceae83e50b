import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { whitelists } from '#shared/domain/charging/authorization.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { type CdrToken, type OcpiTokenType, typeWithoutEmaid } from '#shared/domain/roaming/roaming.ts';
import type { OcpiTokenRecord } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import { Nullable } from '#api/services/kernel/nullable.ts';
import { OcpiDateTime, statedTime } from '#api/services/roaming/wire/date-time.ts';
import { WireText } from '#api/services/roaming/wire/text.ts';

const oneOf = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] });

/** §9.4.2. */
export const profileTypes = ['CHEAP', 'FAST', 'GREEN', 'REGULAR'] as const;

const energyContract = Type.Object({
  supplier_name: WireText(64),
  contract_id: Type.Optional(WireText(64)),
});

export const tokenFields = {
  country_code: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters (ISO 3166-1 alpha-2)' }),
  party_id: Type.String({ pattern: '^[A-Za-z0-9]{3}$', description: 'three letters or digits' }),
  uid: WireText(36),
  /** Tokens of 2.3.0 are converted to this form, with one more type. */
  type: oneOf<OcpiTokenType>(idTokenTypes),
  contract_id: WireText(36),
  visual_number: Type.Optional(WireText(64)),
  issuer: WireText(64, 0),
  group_id: Type.Optional(WireText(36)),
  valid: Type.Boolean(),
  whitelist: oneOf(whitelists),
  language: Type.Optional(WireText(2)),
  default_profile_type: Type.Optional(oneOf(profileTypes)),
  energy_contract: Type.Optional(energyContract),
  last_updated: OcpiDateTime(),
};

/** A token (OCPI 2.2.1 §12.3.2). */
export const Token = Type.Object(tokenFields, { title: 'OcpiToken' });
export type Token = Static<typeof Token>;

/** Optional fields of a token in a change: null removes the value. */
export const removableFields = {
  visual_number: Type.Optional(Nullable(WireText(64))),
  group_id: Type.Optional(Nullable(WireText(36))),
  language: Type.Optional(Nullable(WireText(2))),
  default_profile_type: Type.Optional(Nullable(oneOf(profileTypes))),
  energy_contract: Type.Optional(Nullable(energyContract)),
};
type Removable = keyof typeof removableFields;

/** Token change of a partner: only the time is required (§12.2.1.3). */
export const TokenPatch = Type.Partial(Type.Object({ ...tokenFields, ...removableFields }), {
  title: 'OcpiTokenPatch',
});
export type TokenPatch = Static<typeof TokenPatch>;

/** A stored token as partners see it. */
export function tokenView(token: OcpiTokenRecord): Token {
  return {
    country_code: token.countryCode,
    party_id: token.partyId,
    uid: token.uid,
    type: typeWithoutEmaid(token.type),
    contract_id: token.contractId,
    ...(token.visualNumber !== null && { visual_number: token.visualNumber }),
    issuer: token.issuer,
    ...(token.groupId !== null && { group_id: token.groupId }),
    valid: token.isValid,
    whitelist: token.whitelist,
    ...(token.language !== null && { language: token.language }),
    ...(token.defaultProfileType !== null && { default_profile_type: token.defaultProfileType }),
    ...(token.energyContract !== null && { energy_contract: token.energyContract }),
    last_updated: token.lastUpdated.toISOString(),
  };
}

/**
 * Converts a token for storage.
 * @throws {DomainError} VALIDATION_FAILED (2001) for an invalid time.
 */
export function tokenRecord(token: Omit<Token, Removable> & Pick<TokenPatch, Removable>): OcpiTokenRecord {
  return {
    countryCode: token.country_code.toUpperCase(),
    partyId: token.party_id.toUpperCase(),
    uid: token.uid,
    type: token.type,
    contractId: token.contract_id,
    visualNumber: token.visual_number ?? null,
    issuer: token.issuer,
    groupId: token.group_id ?? null,
    isValid: token.valid,
    whitelist: token.whitelist,
    language: token.language ?? null,
    defaultProfileType: token.default_profile_type ?? null,
    energyContract: token.energy_contract ?? null,
    lastUpdated: statedTime('last_updated', token.last_updated),
  };
}

/** Converts the token of a session or CDR. */
export function cdrToken(token: CdrToken) {
  return { ...token, type: typeWithoutEmaid(token.type) };
}

/** Returns a token of a partner's list as a record. Null: it cannot be read. */
export function sentToken(sent: unknown): OcpiTokenRecord | null {
  return Check(Token, sent) ? recordOrNull(sent) : null;
}

/** Converts a token for storage. Null: a time in it is invalid. */
export function recordOrNull(sent: Token): OcpiTokenRecord | null {
  try {
    return tokenRecord(sent);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
