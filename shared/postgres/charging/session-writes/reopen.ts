import { amended, estimated, reopened, stopReconciled } from '#shared/domain/charging/session.ts';
import { nextPrice, type Price, withPriceFlags } from '#shared/pricing/price-state.ts';
import { settledFlags } from '#shared/pricing/settle-session.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { priceColumns } from './price.statements.ts';

/** Flags of an end that was assumed. */
const assumedEnd = new Set([estimated, stopReconciled]);

const noFacts = { cost: null, needsReadings: false, flags: [] };

/**
 * Lets a session run again that was closed by an estimate or by a stop of another transaction, since its charger sent a reading of
 * it at `readAt`, after that end. What its wallet paid stays until the session ends: then it pays or receives the difference.
 * Returns false for a session that ended otherwise, that was amended or invoiced, or that another session followed.
 */
export async function reopenSession(sql: Sql, uuid: string, readAt: Date): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const [session] = await transaction<(Price & { id: bigint; flags: string[] })[]>`
      select s.id, s.flags, s.price_state as "priceState", s.price_readings as "priceReadings",
        s.price_decision as "priceDecision"
      from sessions s
      where s.uuid = ${uuid} and s.status = 'COMPLETED' and s.ended_at < ${readAt} and s.invoice_number is null
        and s.flags && ${[...assumedEnd]}::text[] and not s.flags @> ${[amended]}::text[]
        and s.price_decision is distinct from 'AMENDED'
        and not exists (
          select from sessions n where n.connector_id = s.connector_id and n.started_at > s.started_at
        )
      for update`;
    if (session === undefined) return false;
    const price = nextPrice(session, 'reopened', noFacts);
    const kept = session.flags.filter(
      (flag) => !settledFlags.has(flag) && !assumedEnd.has(flag) && !flag.startsWith('closed-'),
    );
    await transaction`
      update sessions set status = 'ACTIVE', ended_at = null, stop_received_at = null, meter_stop_wh = null,
        stop_reason = null, cost = null, cost_minor = null, plausible_cost_minor = null, free_since = null,
        flags = ${withPriceFlags([...new Set([...kept, reopened])], price)}, ${priceColumns(transaction, price)},
        updated_at = now()
      where id = ${session.id}`;
    return true;
  });
}
