import type { Authorization } from '#shared/domain/charging/session.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';

/** OCPP 1.6 §7.27 IdTagInfo. A driver without credit is Blocked: 1.6 has no word for it. */
export function idTagInfo({ status, expiresAt, groupId }: Authorization) {
  return {
    status: status === 'NoCredit' ? ('Blocked' as const) : status,
    ...(expiresAt !== null && { expiryDate: wireTime(expiresAt) }),
    ...(isIdTag(groupId) && { parentIdTag: groupId }),
  };
}

/** 1.6 takes 20 characters (§7.28); a longer group is one of chargers of 2.0.1 alone. */
function isIdTag(groupId: string | null | undefined): groupId is string {
  return typeof groupId === 'string' && groupId.length <= 20;
}
