import type { BasicCredentials } from '#gateway/socket/credentials.ts';
import type { UpgradeRequest } from '#gateway/socket/server.ts';
import { isChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { ChargerCredentials } from '#shared/postgres/fleet/charger-records.ts';

/** Why a charger is not let in: 401 for credentials, 403 for a connection that its security profile forbids. */
export interface Refusal {
  status: '401 Unauthorized' | '403 Forbidden';
  /** For the log; the charger is not told. */
  reason: string;
}

/**
 * Holds a charger to its security profile (OCPP 2.0.1 A00, 1.6 security whitepaper §2): 0 nothing, where its
 * network allows that; 1 a password; 2 a password over TLS; 3 a client certificate. There is no falling back to
 * a lower one; over a better connection than it must have a charger may come.
 * @returns null when it may come in.
 */
export function securityRefusal(credentials: ChargerCredentials, request: UpgradeRequest): Refusal | null {
  const { transport } = request;
  switch (credentials.securityProfile) {
    case 0:
      return credentials.networkAllowsUnauthenticated
        ? null
        : forbidden('its network lets no charger in without authentication');
    case 1:
      return passwordRefusal(credentials, request);
    case 2:
      return transport.isTls ? passwordRefusal(credentials, request) : noTls(request);
    default:
      return transport.isTls ? certificateRefusal(credentials, request) : noTls(request);
  }
}

/** Before the password is looked at: one that went over an open line proves nothing. */
function noTls({ transport }: UpgradeRequest): Refusal {
  return forbidden(
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
  return { status: '401 Unauthorized', reason: basic === null ? 'no credentials' : 'wrong credentials' };
}

/** Returns true when the user name is the charger's identity, in any case: people type it. */
function isUserOf({ uid }: ChargerCredentials, { user }: BasicCredentials): boolean {
  return user.toLowerCase() === uid.toLowerCase();
}

/** The hash of the new password that the charger came with, the first time it does; null: it came with none. */
export function pendingPassword(
  credentials: ChargerCredentials,
  basic: UpgradeRequest['basic'],
): Buffer | null {
  if (basic === null || !isUserOf(credentials, basic)) return null;
  return credentials.pendingPasswordHashes.find((hash) => isChargerPassword(basic.password, hash)) ?? null;
}

/**
 * The certificate must name this charger (A00.FR.405): by the serial number that its operator registered, or by its
 * uid. Not by the serial number of its BootNotification: a charger may not choose whose certificate it goes by.
 */
function certificateRefusal(
  { uid, certificateCn }: ChargerCredentials,
  { transport: { certificate } }: UpgradeRequest,
): Refusal | null {
  if (certificate === null) return forbidden('no client certificate');
  if (!certificate.isVerified)
    return forbidden('its client certificate is expired or of an unknown authority');
  const isIts = certificate.commonName === uid || certificate.commonName === certificateCn;
  return isIts ? null : forbidden('its client certificate names another charger');
}

function forbidden(reason: string): Refusal {
  return { status: '403 Forbidden', reason };
}
