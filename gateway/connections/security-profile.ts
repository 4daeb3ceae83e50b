import type { BasicCredentials } from '#gateway/socket/credentials.ts';
import type { UpgradeRequest } from '#gateway/socket/server.ts';
import type { RejectionReason } from '#shared/domain/fleet/rejected-connection.ts';
import { isChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { ChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';

/** Refusal of a handshake: 401 for credentials, 403 for a connection that the security profile forbids. */
interface Refusal {
  status: '401 Unauthorized' | '403 Forbidden';
  rejection: RejectionReason;
  /** Reason for the log; it is not sent to the charger. */
  reason: string;
}

/**
 * Checks a handshake against the charger's security profile (OCPP 2.0.1 A00, 1.6 security whitepaper §2): 0 nothing,
 * where its network allows that; 1 a password; 2 a password over TLS; 3 a client certificate. A lower profile is
 * refused, a more secure connection accepted.
 * @returns null when the handshake is accepted.
 */
export function securityRefusal(credentials: ChargerCredentials, request: UpgradeRequest): Refusal | null {
  const { transport } = request;
  switch (credentials.securityProfile) {
    case 0:
      return credentials.networkAllowsUnauthenticated
        ? null
        : forbidden('unauthenticated', 'its network lets no charger in without authentication');
    case 1:
      return passwordRefusal(credentials, request);
    case 2:
      return transport.isTls ? passwordRefusal(credentials, request) : noTls(request);
    default:
      return transport.isTls ? certificateRefusal(credentials, request) : noTls(request);
  }
}

/** Refuses a connection without TLS before the password is checked: a password sent in clear proves nothing. */
function noTls({ transport }: UpgradeRequest): Refusal {
  return forbidden(
    'tls-required',
    transport.isPretending
      ? 'its security profile asks for TLS, and the proxy that says so is not trusted (TRUSTED_PROXIES, PROXY_SECRET)'
      : 'its security profile asks for TLS',
  );
}

function passwordRefusal(credentials: ChargerCredentials, { basic }: UpgradeRequest): Refusal | null {
  if (
    basic !== null &&
    isUserOf(credentials, basic) &&
    isChargerPassword(basic.password, credentials.passwordHash)
  ) {
    return null;
  }
  if (pendingPassword(credentials, basic) !== null) return null;
  return basic === null
    ? { status: '401 Unauthorized', rejection: 'missing-credentials', reason: 'no credentials' }
    : { status: '401 Unauthorized', rejection: 'wrong-credentials', reason: 'wrong credentials' };
}

/** Returns true when the user name is the charger's identity, in any case: people type it. */
function isUserOf({ uid }: ChargerCredentials, { user }: BasicCredentials): boolean {
  return user === uid || user.toLowerCase() === uid.toLowerCase();
}

/** Returns the hash of the new password that the charger used for the first time, or null. */
export function pendingPassword(
  credentials: ChargerCredentials,
  basic: UpgradeRequest['basic'],
): Buffer | null {
  if (credentials.pendingPasswordHashes.length === 0) return null;
  if (basic === null || !isUserOf(credentials, basic)) return null;
  return credentials.pendingPasswordHashes.find((hash) => isChargerPassword(basic.password, hash)) ?? null;
}

/**
 * Checks the client certificate: it must name this charger (A00.FR.405) by the serial number that its operator
 * registered, or by its uid. The serial number of its BootNotification does not count: a charger must not choose the
 * name that it is checked against.
 */
function certificateRefusal(
  { uid, certificateCn }: ChargerCredentials,
  { transport: { certificate } }: UpgradeRequest,
): Refusal | null {
  if (certificate === null) return forbidden('certificate-rejected', 'no client certificate');
  if (!certificate.isVerified)
    return forbidden('certificate-rejected', 'its client certificate is expired or of an unknown authority');
  const isIts = certificate.commonName === uid || certificate.commonName === certificateCn;
  return isIts ? null : forbidden('certificate-rejected', 'its client certificate names another charger');
}

function forbidden(rejection: RejectionReason, reason: string): Refusal {
  return { status: '403 Forbidden', rejection, reason };
}
