import type { Protocol } from '#gateway/protocol/protocol.ts';
import type { HandshakeResult, UpgradeRequest } from '#gateway/socket/server.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { ChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { pendingPassword, securityRefusal } from './security-profile.ts';

/** A charger that may connect, with what its connection starts from. */
export interface AuthenticatedCharger {
  charger: ChargerIdentity;
  protocol: Protocol;
  /** The hash of a new password that it came with for the first time. */
  newPasswordHash: Buffer | null;
  /** When it asked to be let in (ms since 1970): of two sockets of a charger the one that was asked for later is the newer. */
  requestedAt: number;
}

/**
 * Decides on an upgrade request: 404 for an unknown charger (1.6J §3.3), 401 or 403 for one that does not meet its
 * security profile, otherwise the first version of the charger's list that we speak.
 */
export function authenticate(
  credentials: ChargerCredentials | null,
  protocols: readonly Protocol[],
  request: UpgradeRequest,
): HandshakeResult<AuthenticatedCharger> {
  if (credentials === null) return { accepted: false, status: '404 Not Found', reason: 'unknown' };
  const refusal = securityRefusal(credentials, request);
  if (refusal?.status === '401 Unauthorized') {
    return { accepted: false, ...refusal, headers: { 'WWW-Authenticate': 'Basic realm="OCPP"' } };
  }
  if (refusal !== null) return { accepted: false, ...refusal };
  const { id, uuid, uid, networkId, registration } = credentials;
  const chosen = request.protocols.find((offered) =>
    protocols.some((known) => known.subprotocol === offered),
  );
  const protocol = protocols.find((known) => known.subprotocol === chosen);
  if (protocol === undefined) return { accepted: true, protocol: null };
  return {
    accepted: true,
    protocol: protocol.subprotocol,
    identity: {
      charger: { id, uuid, uid, networkId, registration },
      protocol,
      newPasswordHash: pendingPassword(credentials, request.basic),
      requestedAt: request.requestedAt,
    },
  };
}
