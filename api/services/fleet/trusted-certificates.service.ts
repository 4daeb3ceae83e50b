import { X509Certificate } from 'node:crypto';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { findNetworkDetails, type NetworkDetailRecord } from '#shared/postgres/fleet/network-details.ts';
import {
  insertTrustedCertificate,
  listTrustedCertificates,
  removeTrustedCertificate,
  type TrustedCertificate,
} from '#shared/postgres/fleet/trusted-certificates.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readNetwork } from './network-registry.ts';

export type { TrustedCertificate } from '#shared/postgres/fleet/trusted-certificates.statements.ts';

/** Maximum number of trusted certificates of a network. */
const maxTrusted = 100;

/** @throws {DomainError} NETWORK_NOT_FOUND. */
export async function readTrustedCertificates(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string,
): Promise<TrustedCertificate[]> {
  const network = await readNetwork(deps, caller, networkUuid);
  return listTrustedCertificates(deps.sql, network.id);
}

/**
 * Adds a certificate authority that a network trusts; one that it trusts already stays as it is.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED.
 */
export async function trustCertificate(
  { sql }: ServiceDeps,
  by: Actor,
  networkUuid: string,
  pem: string,
): Promise<TrustedCertificate> {
  const certificate = readAuthority(pem);
  return sql.begin(async (transaction) => {
    const network = await lockNetwork(transaction, by, networkUuid);
    const known = await listTrustedCertificates(transaction, network.id);
    const before = known.find(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256);
    if (before === undefined && known.length >= maxTrusted) {
      throw invalid(`A network trusts at most ${maxTrusted} certificates: remove one first.`);
    }
    const after = before ?? (await insertTrustedCertificate(transaction, network.id, certificate));
    if (after === null) throw new Error('a trusted certificate was stored meanwhile, in spite of the lock');
    await auditChange(transaction, by, auditTarget(network, after, 'trust', before ?? null, after));
    return after;
  });
}

/** @throws {DomainError} NETWORK_NOT_FOUND, CERTIFICATE_NOT_FOUND. */
export async function distrustCertificate(
  { sql }: ServiceDeps,
  by: Actor,
  networkUuid: string,
  uuid: string,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const network = await lockNetwork(transaction, by, networkUuid);
    const removed = await removeTrustedCertificate(transaction, network.id, uuid);
    if (removed === null) {
      throw new DomainError('CERTIFICATE_NOT_FOUND', `The network trusts no certificate ${uuid}.`);
    }
    await auditChange(transaction, by, auditTarget(network, removed, 'distrust', removed, null));
  });
}

async function lockNetwork(transaction: Transaction, by: Actor, uuid: string): Promise<NetworkDetailRecord> {
  const network = await findNetworkDetails(transaction, by.caller.networks, uuid, true);
  if (network === null) throw new DomainError('NETWORK_NOT_FOUND', `There is no network ${uuid}.`);
  return network;
}

function auditTarget(
  network: NetworkDetailRecord,
  { uuid, subject }: TrustedCertificate,
  action: string,
  before: object | null,
  after: object | null,
) {
  const about = { networkId: network.id, category: 'trusted-certificate', action };
  return { ...about, resourceId: uuid, resourceName: subject, before, after };
}

function readAuthority(pem: string) {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw invalid('The certificate cannot be read: send one certificate in PEM.');
  }
  if (!certificate.ca) throw invalid('The certificate is not one of a certificate authority (CA: TRUE).');
  const { subject, validFromDate: validFrom, validToDate: validTo, fingerprint256 } = certificate;
  return { pem: certificate.toString(), subject, validFrom, validTo, fingerprint256 };
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { errors: [{ field: 'certificate', message }] });
}
