import { X509Certificate } from 'node:crypto';
import type { RootCertificateUse } from '#shared/domain/fleet/ocpp-version.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type CertificateRecord,
  findHeldCertificate,
  listHeldCertificates,
} from '#shared/postgres/fleet/device-records.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** A certificate with what is written in it; null: it cannot be read. */
export interface HeldCertificate {
  record: CertificateRecord;
  read: { subject: string; issuer: string; validFrom: Date; validTo: Date; fingerprint256: string } | null;
}

/** The certificates that a charger is known to hold, newest first. */
export async function readCertificates(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
): Promise<HeldCertificate[]> {
  const records = await listHeldCertificates(sql, charger.id);
  return records.map((record) => ({ record, read: readPem(record.pem) }));
}

/**
 * Asks a charger to trust a root certificate.
 * @throws {DomainError} VALIDATION_FAILED for an invalid or expired certificate; and as `send` does.
 */
export async function installCertificate(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  { use, pem }: { use: RootCertificateUse; pem: string },
): Promise<SentCommand> {
  const read = readPem(pem);
  if (read === null || read.validTo <= new Date()) {
    const message = read === null ? 'must be one certificate in PEM' : 'has expired';
    throw new DomainError('VALIDATION_FAILED', `Invalid body: certificate ${message}.`, {
      errors: [{ field: 'certificate', message }],
    });
  }
  return send(deps, by, charger, { type: 'install-certificate', use, pem });
}

/**
 * Asks a charger to delete a certificate that it is known to hold.
 * @throws {DomainError} CERTIFICATE_NOT_FOUND; CERTIFICATE_UNNAMED when we do not know what names it to the charger; and
 * as `send` does.
 */
export async function deleteCertificate(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  uuid: string,
): Promise<SentCommand> {
  const certificate = await findHeldCertificate(deps.sql, charger.id, uuid);
  if (certificate === null) {
    throw new DomainError('CERTIFICATE_NOT_FOUND', `The charger holds no known certificate ${uuid}.`);
  }
  const { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } = certificate;
  if (issuerKeyHash === '') {
    throw new DomainError(
      'CERTIFICATE_UNNAMED',
      'The certificate is signed by another one that is not known here: ask the charger for its hash data ' +
        '(GetInstalledCertificateIds) and send DeleteCertificate with it, as any OCPP action.',
    );
  }
  const hash = { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber };
  return send(deps, by, charger, { type: 'delete-certificate', ...hash });
}

function readPem(pem: string): HeldCertificate['read'] {
  try {
    const { subject, issuer, validFromDate, validToDate, fingerprint256 } = new X509Certificate(pem);
    return { subject, issuer, validFrom: validFromDate, validTo: validToDate, fingerprint256 };
  } catch {
    return null;
  }
}
