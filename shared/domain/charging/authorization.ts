import type { Authorization } from './session.ts';

/** Permission of a charger to authorize a token without asking (OCPI 2.2.1 §12.4.5, WhitelistType). */
export const whitelists = ['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER'] as const;
export type Whitelist = (typeof whitelists)[number];

/** Stored facts about a token that decide its authorization. */
interface KnownToken {
  /** False: an operator blocked it. */
  isValid: boolean;
  isDriverBlocked: boolean;
  expiresAt: Date | null;
  /** OCPP's parentIdTag and groupIdToken. */
  groupId: string | null;
}

/** Returns whether a token can charge at `now`. `token` is null when it is unknown. */
export function authorizeToken(token: KnownToken | null, now: Date): Authorization {
  if (token === null) return { status: 'Invalid', expiresAt: null };
  const { isValid, isDriverBlocked, expiresAt, groupId } = token;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const status = !isValid || isDriverBlocked ? 'Blocked' : isExpired ? 'Expired' : 'Accepted';
  return { status, expiresAt, groupId };
}
