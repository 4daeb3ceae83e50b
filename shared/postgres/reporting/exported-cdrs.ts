import type { RowCount } from '#shared/domain/reporting/export.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** A charge detail record as an export has it. */
export interface ExportedCdr {
  id: bigint;
  /** Time of its creation, to the microsecond. */
  atText: string;
  uuid: string;
  networkUuid: string;
  partnerUuid: string;
  ocpiId: string;
  sessionUuid: string;
  sessionVersion: number;
  creditsUuid: string | null;
  startedAt: Date;
  endedAt: Date;
  authMethod: string;
  energyKwh: number;
  durationHours: number;
  parkingHours: number;
  currency: string;
  exclVatMinor: bigint;
  inclVatMinor: bigint;
  createdAt: Date;
}

/** Records of networks that were created in a range, whose end is exclusive. */
interface CdrSelection {
  networkIds: readonly number[];
  from: Date;
  to: Date;
}

const selected = (sql: Queryable, { networkIds, from, to }: CdrSelection) => sql`
  ${inScope(sql, 'c.network_id', onlyNetworks(networkIds))} and c.created_at >= ${from} and c.created_at < ${to}`;

/** Returns the next `limit` records of a selection, in the order of their creation. */
export async function listExportedCdrs(
  sql: Queryable,
  selection: CdrSelection,
  after: Pick<ExportedCdr, 'id' | 'atText'> | null,
  limit: number,
): Promise<ExportedCdr[]> {
  const beyond =
    after === null
      ? sql``
      : sql`and c.created_at >= ${after.atText}::text::timestamptz
          and (c.created_at, c.id) > (${after.atText}::text::timestamptz, ${String(after.id)}::bigint)`;
  return sql<ExportedCdr[]>`
    select c.id, c.created_at::text as "atText", c.uuid, n.uuid as "networkUuid", p.uuid as "partnerUuid",
      c.ocpi_id as "ocpiId", s.uuid as "sessionUuid", c.session_version as "sessionVersion",
      k.uuid as "creditsUuid", (c.document ->> 'start_date_time')::timestamptz as "startedAt",
      (c.document ->> 'end_date_time')::timestamptz as "endedAt", c.document ->> 'auth_method' as "authMethod",
      (c.document ->> 'total_energy')::double precision as "energyKwh",
      (c.document ->> 'total_time')::double precision as "durationHours",
      coalesce((c.document ->> 'total_parking_time')::double precision, 0) as "parkingHours",
      c.currency, c.total_excl_vat_minor as "exclVatMinor", c.total_incl_vat_minor as "inclVatMinor",
      c.created_at as "createdAt"
    from cdrs c
    join networks n on n.id = c.network_id
    join ocpi_partners p on p.id = c.partner_id
    join sessions s on s.id = c.session_id
    left join cdrs k on k.id = c.credits_id
    where ${selected(sql, selection)} ${beyond}
    order by c.created_at, c.id limit ${limit}`;
}

/** Counts the records of a selection by UTC day. */
export async function countExportedCdrs(sql: Queryable, selection: CdrSelection): Promise<RowCount[]> {
  return sql<RowCount[]>`
    select (extract(epoch from date_trunc('day', c.created_at, 'UTC')) * 1000)::double precision as at,
      count(*)::integer as rows
    from cdrs c where ${selected(sql, selection)} group by 1 order by 1`;
}
