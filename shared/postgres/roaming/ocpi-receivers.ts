import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { partnerColumns, type PartnerRecord } from './ocpi-partners.statements.ts';

/**
 * Returns a partner with its receiver of a module, both of one registration: a partner that changes its version changes
 * its endpoints with it. Null: the partner was removed. `receiver` null: it has none.
 */
export async function findReceivingPartner(
  sql: Queryable,
  id: number,
  module: string,
): Promise<(PartnerRecord & { receiver: string | null }) | null> {
  const [row] = await sql<(PartnerRecord & { receiver: string | null })[]>`
    select ${partnerColumns(sql)}, (select e.url from ocpi_partner_endpoints e
      where e.partner_id = p.id and e.identifier = ${module} and e.role = 'RECEIVER') as receiver
    from ocpi_partners p join networks n on n.id = p.network_id
    where p.id = ${id} and p.deleted_at is null`;
  return row ?? null;
}
