import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Window of time that sessions charged in. */
export interface DuringWindow {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Conditions on sessions `s` that started before the end of a window and ended after its start. Each alternative has an index. */
export function sessionsDuring(sql: Queryable, { from, to }: DuringWindow): Fragment {
  return sql`
    and s.status in ('ACTIVE', 'STOPPING', 'COMPLETED') and s.started_at < ${to}
    and (s.started_at >= ${from} or (s.status = 'COMPLETED' and s.ended_at > ${from})
      or s.status in ('ACTIVE', 'STOPPING'))`;
}
