import type { ReportPart } from '#shared/domain/commands/charger-reports.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { rounds } from '#shared/postgres/kernel/rounds.ts';

/** Maximum number of reports of one charger whose parts are known; the oldest are forgotten. */
const maxReportsPerCharger = 1000;

/** Maximum number of parts of one report that are noted. */
const maxParts = 20_000;

/**
 * Notes which parts of a report are here. A part 0 that was generated at another time begins a new report: request
 * ids may come again.
 */
export async function recordReportParts(
  transaction: Transaction,
  reports: { chargerId: number; report: ReportPart; receivedAt: Date }[],
): Promise<void> {
  const rows = reports.map(({ chargerId, report, receivedAt }) => ({ ...report, chargerId, receivedAt }));
  for (const round of rounds(rows)) {
    await transaction`
      insert into charger_reports as k (charger_id, action, request_id, generated_at, received_parts, last_part,
        updated_at)
      select r."chargerId", r.action, r."requestId", r."generatedAt", array[r.part],
        case when r."isLast" then r.part end, r."receivedAt"
      from jsonb_to_recordset(${transaction.json(round)}) as r("chargerId" integer, action text,
        "requestId" integer, "generatedAt" timestamptz, part integer, "isLast" boolean, "receivedAt" timestamptz)
      on conflict (charger_id, action, request_id) do update set
        generated_at = case when ${begins(transaction)} then excluded.generated_at else k.generated_at end,
        received_parts = case
          when ${begins(transaction)} then excluded.received_parts
          when cardinality(k.received_parts) >= ${maxParts} then k.received_parts
          when k.received_parts @> excluded.received_parts then k.received_parts
          else k.received_parts || excluded.received_parts end,
        last_part = case when ${begins(transaction)} then excluded.last_part
          else coalesce(excluded.last_part, k.last_part) end,
        updated_at = excluded.updated_at`;
  }
  await transaction`
    delete from charger_reports k using (
      select charger_id, action, request_id,
        row_number() over (partition by charger_id order by updated_at desc) as place
      from charger_reports where charger_id = any(${[...new Set(rows.map(({ chargerId }) => chargerId))]}::integer[])
    ) old
    where old.place > ${maxReportsPerCharger} and k.charger_id = old.charger_id and k.action = old.action
      and k.request_id = old.request_id`;
}

const begins = (transaction: Transaction) => transaction`
  (excluded.received_parts = array[0] and k.generated_at <> excluded.generated_at)`;
