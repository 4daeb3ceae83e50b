import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** A certificate authority that a network trusts for contract certificates. */
export interface TrustedCertificate {
  uuid: string;
  pem: string;
  subject: string;
  validFrom: Date;
  validTo: Date;
  fingerprint256: string;
  createdAt: Date;
}

const columns = (sql: Queryable) => sql`
  uuid, pem, subject, valid_from as "validFrom", valid_to as "validTo", fingerprint256, created_at as "createdAt"`;

/** Lists the trusted certificates of a network, oldest first. */
export function listTrustedCertificates(sql: Queryable, networkId: number): Promise<TrustedCertificate[]> {
  return sql<TrustedCertificate[]>`
    select ${columns(sql)} from trusted_certificates where network_id = ${networkId} order by id`;
}

/** Stores a trusted certificate; null: the network trusts it already. */
export async function insertTrustedCertificate(
  sql: Queryable,
  networkId: number,
  { pem, subject, validFrom, validTo, fingerprint256 }: Omit<TrustedCertificate, 'uuid' | 'createdAt'>,
): Promise<TrustedCertificate | null> {
  const [row] = await sql<TrustedCertificate[]>`
    insert into trusted_certificates (network_id, pem, subject, valid_from, valid_to, fingerprint256)
    values (${networkId}, ${pem}, ${subject}, ${validFrom}, ${validTo}, ${fingerprint256})
    on conflict do nothing returning ${columns(sql)}`;
  return row ?? null;
}

/** Removes a trusted certificate of a network, or null. */
export async function removeTrustedCertificate(
  sql: Queryable,
  networkId: number,
  uuid: string,
): Promise<TrustedCertificate | null> {
  const [row] = await sql<TrustedCertificate[]>`
    delete from trusted_certificates where network_id = ${networkId} and uuid = ${uuid}
    returning ${columns(sql)}`;
  return row ?? null;
}
