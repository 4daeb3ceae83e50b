import type { Authorization } from './session.ts';

/** Whether a charger may decide of a token by itself (OCPI 2.2.1 §12.4.5, WhitelistType). */
export const whitelists = ['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER'] as const;
export type Whitelist = (typeof whitelists)[number];

/** What is known of a token. */
export interface KnownToken {
  isValid: boolean;
  expiresAt: Date | null;
  /** OCPP's parentIdTag and groupIdToken. */
  groupId: string | null;
}

/** Whether a token may charge at `now`; null: nobody knows it. */
export function authorizeToken(token: KnownToken | null, now: Date): Authorization {
  if (token === null) return { status: 'Invalid', expiresAt: null };
  const { isValid, expiresAt, groupId } = token;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const status = !isValid ? 'Blocked' : isExpired ? 'Expired' : 'Accepted';
  return { status, expiresAt, groupId };
}
