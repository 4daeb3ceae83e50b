import { X509Certificate } from 'node:crypto';
import type { HashAlgorithm } from '#shared/certificates/hash-data.ts';
import type { CertificateDeleted } from '#shared/domain/commands/command-effects.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  listCertificates,
  markCertificateDeleted,
  storeCertificate,
} from '#shared/postgres/commands/command-effects.statements.ts';

/** Stores a certificate that a charger installed. An unreadable one is stored without its hash data. */
export async function certificateInstalled(
  sql: Sql,
  chargerId: number,
  { certificateType, pem }: { certificateType: string; pem: string },
): Promise<void> {
  const names = await namesOf(pem, 'SHA256');
  const unknown = { issuerNameHash: '', issuerKeyHash: '', serialNumber: '' };
  await storeCertificate(sql, chargerId, {
    certificateType,
    pem,
    hashAlgorithm: 'SHA256',
    ...(names ?? unknown),
  });
}

/** Marks as deleted the certificate that the hash data identifies, with any hash algorithm. */
export async function certificateDeleted(
  sql: Sql,
  chargerId: number,
  named: CertificateDeleted,
): Promise<void> {
  const serialNumber = named.serialNumber.replace(/^0+(?=.)/, '').toLowerCase();
  for (const { id, pem } of await listCertificates(sql, chargerId, serialNumber)) {
    const names = await namesOf(pem, named.hashAlgorithm);
    const isIssuer = names?.issuerNameHash === named.issuerNameHash.toLowerCase();
    const isKey = names?.issuerKeyHash === '' || names?.issuerKeyHash === named.issuerKeyHash.toLowerCase();
    if (isIssuer && isKey) await markCertificateDeleted(sql, id);
  }
}

/**
 * Returns the hash data of a certificate, or null when it is unreadable. A certificate does not contain the key of a
 * different issuer: its key hash is then empty.
 */
async function namesOf(pem: string, algorithm: HashAlgorithm) {
  // Loaded at the first certificate: most shards read none.
  const { certificateHashData } = await import('#shared/certificates/hash-data.ts');
  try {
    const certificate = new X509Certificate(pem);
    const names = await certificateHashData(pem, pem, algorithm);
    return certificate.checkIssued(certificate) ? names : { ...names, issuerKeyHash: '' };
  } catch {
    return null;
  }
}
