import type { Protocol } from '#gateway/protocol/protocol.ts';
import type { HandshakeResult, UpgradeRequest } from '#gateway/socket/server.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { RejectionReason } from '#shared/domain/fleet/rejected-connection.ts';
import type { ChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';
import { pendingPassword, securityRefusal } from './security-profile.ts';

/** Authenticated charger and the initial state of its connection. */
export interface AuthenticatedCharger {
  charger: ChargerIdentity;
  protocol: Protocol;
  /** Hash of a new password that the charger used for the first time. */
  newPasswordHash: Buffer | null;
  /** Time of the handshake request (ms since 1970): of two sockets of a charger, the later request is the newer. */
  requestedAt: number;
}

/** Answer to a handshake, and the reason for the operator if it is rejected. */
export interface Decision {
  result: HandshakeResult<AuthenticatedCharger>;
  rejection: RejectionReason | null;
}

/**
 * Decides on an upgrade request: 404 for an unknown charger (1.6J §3.3), 401 or 403 for a violation of its security
 * profile, otherwise the first supported version in the charger's list.
 */
export function authenticate(
  credentials: ChargerCredentials | null,
  protocols: readonly Protocol[],
  request: UpgradeRequest,
): Decision {
  if (credentials === null) {
    return {
      result: { accepted: false, status: '404 Not Found', reason: 'unknown' },
      rejection: 'unknown-identity',
    };
  }
  const refusal = securityRefusal(credentials, request);
  if (refusal !== null) {
    const { rejection, ...refused } = refusal;
    const headers = { 'WWW-Authenticate': 'Basic realm="OCPP"' };
    const isUnauthorized = refused.status === '401 Unauthorized';
    return { result: { accepted: false, ...refused, ...(isUnauthorized && { headers }) }, rejection };
  }
  const { id, uuid, uid, networkId, registration } = credentials;
  const chosen = request.protocols.find((offered) =>
    protocols.some((known) => known.subprotocol === offered),
  );
  const protocol = protocols.find((known) => known.subprotocol === chosen);
  if (protocol === undefined) {
    return { result: { accepted: true, protocol: null }, rejection: 'no-common-version' };
  }
  const identity = {
    charger: { id, uuid, uid, networkId, registration },
    protocol,
    newPasswordHash: pendingPassword(credentials, request.basic),
    requestedAt: request.requestedAt,
  };
  return { result: { accepted: true, protocol: protocol.subprotocol, identity }, rejection: null };
}
