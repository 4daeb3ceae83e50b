import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Writes the events of the reservations of a common table expression. */
export const reservationEvents = (sql: Queryable, type: Fragment, changed: Fragment) => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
  select c.network_id, ${type}, v.id, v.uuid, c.id, jsonb_build_object('status', v.status, 'evse', v.evse,
    'expiresAt', v.expires_at, 'sessionId', (select s.uuid from sessions s where s.id = v.session_id))
  from ${changed} v join chargers c on c.id = v.charger_id`;
