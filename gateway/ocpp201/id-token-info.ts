import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import type { Authorization } from '#shared/domain/charging/session.ts';
import type { ResponseOf } from '#shared/ocpp/validators.ts';

/** OCPP 2.0.1 IdTokenInfoType (part 2, §2.28). */
export function idTokenInfo({ status, expiresAt, groupId }: Authorization): IdTokenInfo {
  return {
    status,
    ...(expiresAt !== null && { cacheExpiryDateTime: wireTime(expiresAt) }),
    ...(typeof groupId === 'string' && { groupIdToken: { idToken: groupId, type: 'Central' } }),
  };
}

type IdTokenInfo = ResponseOf<DeviceModelVersion, 'Authorize'>['idTokenInfo'];
