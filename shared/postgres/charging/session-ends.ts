import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Filter of the sessions that analytics sum. */
export interface SessionEnds {
  /** True: the sessions that analytics count, which are completed and whose price is not in review; false: the others. */
  isCounted?: boolean | undefined;
  modelUuid?: string | undefined;
  tariffUuid?: string | undefined;
  /** Both inclusive, to the millisecond. Either one selects completed sessions. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Day of the week (1: Monday) and hour of the end, in a time zone. */
  weekday?: number | undefined;
  hour?: number | undefined;
  timeZone: string;
}

/** Returns true for ends that an index finds or that match few sessions. */
export function areNarrowEnds({ modelUuid, tariffUuid, from, to }: SessionEnds): boolean {
  return modelUuid !== undefined || tariffUuid !== undefined || (from !== undefined && to !== undefined);
}

/** Conditions on sessions `s`. Analytics keep the milliseconds of an end. The indexes of ends have completed sessions only. */
export function endedSessions(sql: Queryable, ends: SessionEnds): Fragment {
  const { isCounted, modelUuid, tariffUuid, from, to, weekday, hour, timeZone } = ends;
  const local = sql`s.ended_at at time zone ${timeZone}`;
  const counted = sql`(s.status = 'COMPLETED' and s.price_state <> 'REVIEW')`;
  return sql`
    ${isCounted === undefined ? sql`` : isCounted ? sql`and ${counted}` : sql`and not ${counted}`}
    ${
      modelUuid === undefined
        ? sql``
        : sql`and s.charger_id in (
      select c.id from chargers c join charger_models m on m.id = c.model_id where m.uuid = ${modelUuid})`
    }
    ${tariffUuid === undefined ? sql`` : sql`and s.tariff_id = (select id from tariffs where uuid = ${tariffUuid})`}
    ${from === undefined && to === undefined ? sql`` : sql`and s.status = 'COMPLETED'`}
    ${from === undefined ? sql`` : sql`and s.ended_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and s.ended_at < ${new Date(to.getTime() + 1)}`}
    ${weekday === undefined ? sql`` : sql`and extract(isodow from ${local}) = ${weekday}`}
    ${hour === undefined ? sql`` : sql`and extract(hour from ${local}) = ${hour}`}`;
}
