import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** The condition that a session `n` charges, or has charged: it is not only a reservation. */
export const hasCharged = (sql: Queryable) => sql`(n.reserved_at is null or n.reservation_end = 'USED')`;
