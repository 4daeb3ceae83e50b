import { createHash } from 'node:crypto';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Subjects that a charger's certificate can name. */
interface CertificateOwner {
  /** The charger's identity, and the name that its operator gave it for certificates. */
  commonNames: string[];
  networkName: string;
}

/**
 * Returns the names that a certificate of this charger can carry: those that its operator gave it and that
 * are unique over all networks. The serial number is excluded. A charger reports it at boot, so it could
 * report another charger's, or one that is registered later.
 */
export async function findCertificateOwner(sql: Queryable, chargerId: number): Promise<CertificateOwner> {
  const [row] = await sql<{ uid: string; certificateCn: string | null; networkName: string }[]>`
    select c.uid, c.certificate_cn as "certificateCn", n.name as "networkName"
    from chargers c join networks n on n.id = c.network_id where c.id = ${chargerId}`;
  if (row === undefined) throw new Error(`there is no charger ${chargerId}`);
  const { uid, certificateCn, networkName } = row;
  return { commonNames: certificateCn === null ? [uid] : [uid, certificateCn], networkName };
}

/** New request; `refusal` is the reason why it is not signed, or null. */
interface NewCertificateRequest {
  chargerId: number;
  certificateType: string | null;
  csr: string;
  refusal: string | null;
  at: Date;
}

/**
 * Stores a request. An equal one within a day returns the existing one with its signed chain: a charger that
 * did not receive the certificate repeats its request.
 */
export async function insertCertificateRequest(
  sql: Queryable,
  { chargerId, certificateType, csr, refusal, at }: NewCertificateRequest,
): Promise<{ id: bigint; chain: string | null }> {
  const digest = createHash('sha256').update(csr).digest();
  const isSame = sql`(excluded.status = 'Pending' and r.chain is not null
    and r.requested_at > excluded.requested_at - interval '1 day')`;
  const [row] = await sql<{ id: bigint; chain: string | null }[]>`
    insert into certificate_requests as r (charger_id, certificate_type, csr, csr_digest, status, reason,
      requested_at, status_at)
    values (${chargerId}, ${certificateType}, ${csr}, ${digest},
      ${refusal === null ? 'Pending' : 'Rejected'}, ${refusal}, ${at}, ${at})
    on conflict (charger_id, csr_digest) do update set
      status = case when ${isSame} then r.status else excluded.status end,
      reason = case when ${isSame} then r.reason else excluded.reason end,
      chain = case when ${isSame} then r.chain end,
      requested_at = case when ${isSame} then r.requested_at else excluded.requested_at end,
      status_at = case when ${isSame} then r.status_at else excluded.status_at end
    returning id, chain`;
  if (row === undefined) throw new Error('the insert of a certificate request returned no row');
  return row;
}

/** The authority refused after all. */
export async function rejectCertificateRequest(sql: Queryable, id: bigint, reason: string): Promise<void> {
  await sql`
    update certificate_requests set status = 'Rejected', reason = ${reason}, status_at = now() where id = ${id}`;
}

/** The chain is here; the charger has not got it yet. */
export async function storeSignedChain(sql: Queryable, id: bigint, chain: string): Promise<void> {
  await sql`
    update certificate_requests set status = 'Signed', chain = ${chain}, reason = null, status_at = now()
    where id = ${id}`;
}

/** A certificate as OCPP names it. */
interface InstalledCertificate {
  chargerId: number;
  certificateType: string;
  pem: string;
  hashAlgorithm: string;
  issuerNameHash: string;
  issuerKeyHash: string;
  serialNumber: string;
}

/** The charger took the chain: the certificate takes the place of the one of its type that it had. */
export async function recordChainInstalled(
  sql: Sql,
  id: bigint,
  certificate: InstalledCertificate,
): Promise<void> {
  const { chargerId, certificateType, serialNumber, issuerKeyHash } = certificate;
  await sql.begin(async (transaction) => {
    await transaction`
      update certificate_requests set status = 'Installed', reason = null, status_at = now() where id = ${id}`;
    await transaction`
      update charger_certificates set deleted_at = now()
      where charger_id = ${chargerId} and certificate_type = ${certificateType} and deleted_at is null
        and (serial_number, issuer_key_hash) <> (${serialNumber}, ${issuerKeyHash})`;
    await transaction`
      insert into charger_certificates (charger_id, certificate_type, pem, hash_algorithm, issuer_name_hash,
        issuer_key_hash, serial_number, installed_at)
      values (${chargerId}, ${certificateType}, ${certificate.pem}, ${certificate.hashAlgorithm},
        ${certificate.issuerNameHash}, ${issuerKeyHash}, ${serialNumber}, now())
      on conflict do nothing`;
  });
}

/** The charger did not take the chain, for this reason. */
export async function recordChainRefused(sql: Queryable, id: bigint, reason: string): Promise<void> {
  await sql`
    update certificate_requests set status = 'Refused', reason = ${reason}, status_at = now() where id = ${id}`;
}
