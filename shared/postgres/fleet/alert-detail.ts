import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Returns what distinguishes an alert `a` from others of its kind and resource: an error code, an event, a date, a number. Or null. */
export const alertDetail = (sql: Queryable): Fragment => sql`
  case a.kind
    when 'security-event' then a.subject
    when 'location-offline' then (a.details ->> 'chargerCount') || ' / ' || (a.details ->> 'ofChargers')
    when 'threshold' then rtrim((a.details ->> 'measured') || ' ' || (a.details ->> 'unit'))
    else coalesce(a.details ->> 'vendorErrorCode', nullif(a.details ->> 'errorCode', 'NoError'), left(a.details ->> 'expiresAt', 10),
      a.details ->> 'refusedStarts', a.details ->> 'status')
  end`;
