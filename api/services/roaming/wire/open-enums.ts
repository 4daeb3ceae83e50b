import { whitelists } from '#shared/domain/charging/authorization.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { ocpiTokenTypes } from '#shared/domain/roaming/roaming.ts';
import { profileTypes } from './v221/token.ts';

/** Form of the values of an enumeration. */
const valueForm = /^[A-Za-z0-9_]{1,36}$/;

/** Returns the known value, the substitute for a value that a later version or a partner added, or anything else as it is. */
function knownOr(values: readonly string[], value: unknown, substitute: string | null | undefined): unknown {
  if (typeof value !== 'string' || !valueForm.test(value)) return value;
  return values.includes(value) ? value : substitute;
}

function isObject(sent: unknown): sent is Record<string, unknown> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

/** Returns the token types of a version. */
export function tokenTypesIn(version: string | null): readonly string[] {
  return version === '2.3.0' ? ocpiTokenTypes : idTokenTypes;
}

/** Returns an object with a token type that is one of these: OTHER in place of an unknown one. */
export function knownTokenType(sent: unknown, types: readonly string[]): unknown {
  if (!isObject(sent) || !('type' in sent)) return sent;
  return { ...sent, type: knownOr(types, sent['type'], 'OTHER') };
}

/**
 * Returns a partner's token with known values of its enumerations, so that one new value does not refuse the whole token. An
 * unknown type is OTHER, an unknown whitelist NEVER, which authorizes each use in real time, and an unknown profile type none.
 * @param noProfile null: in a change, where a profile type that is left out stays.
 */
export function withKnownValues(sent: unknown, types: readonly string[], noProfile?: null): unknown {
  if (!isObject(sent)) return sent;
  const { whitelist, default_profile_type: profile, ...rest } = sent;
  const profileType = knownOr(profileTypes, profile, noProfile);
  const token = {
    ...rest,
    ...(whitelist !== undefined && { whitelist: knownOr(whitelists, whitelist, 'NEVER') }),
    ...(profileType !== undefined && { default_profile_type: profileType }),
  };
  return knownTokenType(token, types);
}

/** Returns the body of a command with a known type of its token. */
export function withKnownToken(body: unknown, types: readonly string[]): unknown {
  if (!isObject(body) || !('token' in body)) return body;
  return { ...body, token: knownTokenType(body['token'], types) };
}
