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

/** Returns true when a group fits the 20 characters of 1.6 (§7.28); longer groups exist for chargers of 2.0.1. */
function isIdTag(groupId: string | null | undefined): groupId is string {
  return typeof groupId === 'string' && groupId.length <= 20;
}
