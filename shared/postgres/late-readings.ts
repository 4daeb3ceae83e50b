import { corrected } from '#shared/domain/session.ts';
import { costPending, isPricedByReadings, type SettledSession } from '#shared/pricing/settle-session.ts';
import type { Sql } from './client.ts';

interface EndedSession
  extends Pick<
    SettledSession,
    'startedAt' | 'energyWh' | 'tariff' | 'isRefused' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
  > {
  id: bigint;
  endedAt: Date;
  /** On an invoice, or put right by an operator: no message of its charger changes it. */
  isFixed: boolean;
}

/**
 * Notes that readings of these sessions are in ClickHouse since now; to be called after they were stored. Of those that have
 * ended whoever keeps their readings learns it by `updated_at`, and a price that was told from readings is told anew: it is
 * pending again. Sessions that run, and unknown ones, stay as they are.
 */
export async function noteLateReadings(sql: Sql, uuids: readonly string[]): Promise<void> {
  await sql.begin(async (transaction) => {
    const ended = await transaction<EndedSession[]>`
      select id, started_at as "startedAt", ended_at as "endedAt", energy_wh as "energyWh", tariff,
        authorization_status <> 'Accepted' as "isRefused", idle_periods as "idlePeriods",
        idle_started_at as "idleStartedAt", idle_cause as "idleCause",
        invoice_number is not null or flags @> ${[corrected]}::text[] as "isFixed"
      from sessions where uuid = any(${[...uuids]}::uuid[]) and status = 'COMPLETED' order by id for no key update`;
    if (ended.length === 0) return;
    const priced = ended.filter(
      (session) => !session.isFixed && isPricedByReadings(session, session.endedAt),
    );
    await transaction`
      update sessions set updated_at = now(),
        flags = case when id = any(${idsOf(priced)}::bigint[])
          then array_append(array_remove(flags, ${costPending}), ${costPending}) else flags end
      where id = any(${idsOf(ended)}::bigint[])`;
  });
}

const idsOf = (sessions: readonly EndedSession[]): string[] => sessions.map(({ id }) => String(id));
