import { approved, corrected } from '#shared/domain/charging/session.ts';
import { readingsLate } from '#shared/pricing/settle-session.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** More readings may come of a session that has its price: it is told anew when none came for so long (ms). */
export const calmMs = 60_000;

/**
 * Notes that readings of these sessions are in ClickHouse since now; to be called after they were stored. Of those that have
 * ended whoever keeps their readings learns it by `updated_at`; a price that may have been told from readings, and that no
 * operator has set or approved, is flagged: it is priced again. Sessions that run, and unknown ones, stay as they are.
 * @param readings the time of the earliest one (ms since 1970) of each session, by its uuid.
 */
export async function noteLateReadings(sql: Sql, readings: ReadonlyMap<string, number>): Promise<void> {
  if (readings.size === 0) return;
  const times = [...readings.values()].map((time) => new Date(time).toISOString());
  await sql`
    with late as materialized (
      select s.id, r.earliest
      from unnest(${[...readings.keys()]}::uuid[], ${times}::timestamptz[]) as r (uuid, earliest)
      join sessions s on s.uuid = r.uuid
      where s.status = 'COMPLETED'
        -- What a charger goes on telling after the end is in no price, and who waits for calm would wait for ever.
        and (r.earliest < s.ended_at or s.updated_at < now() - make_interval(secs => ${calmMs / 1000}))
      order by s.id for no key update of s
    )
    update sessions s set updated_at = now(), flags = case
      when s.cost is not null and late.earliest < s.ended_at and not s.flags && ${[approved, corrected, readingsLate]}::text[]
        -- Without restrictions no reading is in the price, and what was refused and took nothing costs nothing.
        and jsonb_path_exists(s.tariff, '$.elements[*].restrictions')
        and (s.authorization_status = 'Accepted' or s.energy_wh > 0)
      then array_append(s.flags, ${readingsLate}) else s.flags end
    from late where s.id = late.id`;
}
