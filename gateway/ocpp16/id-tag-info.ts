import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import type { Authorization } from '#shared/domain/charging/session.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';

/** Builds IdTagInfo (OCPP 1.6 §7.27). A driver without credit is Blocked: 1.6 has no status for it. */
export function idTagInfo({ status, expiresAt, groupId }: Authorization) {
  return {
    status: status === 'NoCredit' ? ('Blocked' as const) : status,
    ...(expiresAt !== null && { expiryDate: wireTime(expiresAt) }),
    ...(isIdTag(groupId) && { parentIdTag: groupId }),
  };
}

/** Returns true for a token or group that an idTag can hold (1.6 §7.28); later versions have longer ones. */
export function isIdTag(token: string | null | undefined): token is string {
  return typeof token === 'string' && token.length <= featuresOf('1.6').maxIdTokenLength;
}
