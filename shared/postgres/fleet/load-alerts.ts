import type { AlertKind } from '#shared/domain/fleet/alert.ts';
import type { AlertFinder } from './alert-finder.ts';

/** Alerts of sites with load management, from the conditions that the process stores which controls a site. */
export const loadAlerts: AlertFinder[] = [
  ofCircuit('load-overload', 'overloaded_since', 'carries more than its limit'),
  ofCircuit('load-meter-lost', 'meter_lost_since', 'has no working meter: its highest other load counts'),
  ofConnector(
    'load-limit-exceeded',
    'set_aside_at',
    'exceeds its limit, and counts at its maximum until you release it',
  ),
  ofConnector('load-fallback', 'unconfirmed_since', 'confirms no limits: its fallback may be in force'),
];

function ofCircuit(kind: AlertKind, since: string, state: string): AlertFinder {
  return {
    kind,
    resource: 'load-site',
    find: (sql) => sql`
      select s.network_id, s.uuid::text as resource_id, s.name as resource_name, null::integer as charger_id,
        null::bigint as session_id, o.id as subject,
        'The circuit ' || o.name || ' of the site ' || s.name || ' ' || ${state}::text || '.' as message,
        jsonb_build_object('circuitId', o.id, 'since', o.${sql(since)}) as details, o.${sql(since)} as occurred_at
      from load_sites s join load_circuits o on o.site_id = s.id where s.is_enabled and o.${sql(since)} is not null`,
    over: 'gone',
    reopens: false,
  };
}

function ofConnector(kind: AlertKind, since: string, state: string): AlertFinder {
  return {
    kind,
    resource: 'connector',
    find: (sql) => sql`
      select s.network_id, k.uuid::text as resource_id, c.uid || '/' || k.number as resource_name, c.id as charger_id,
        null::bigint as session_id, '' as subject,
        'Connector ' || k.number || ' of ' || c.uid || ' at the site ' || s.name || ' ' || ${state}::text || '.' as message,
        jsonb_build_object('chargerId', c.uuid, 'connectorNumber', k.number, 'siteId', s.uuid, 'since', p.${sql(since)})
          as details,
        p.${sql(since)} as occurred_at
      from load_sites s join load_connectors p on p.site_id = s.id
      join connectors k on k.id = p.connector_id and k.deleted_at is null
      join chargers c on c.id = k.charger_id and c.deleted_at is null and c.network_id = s.network_id
      where s.is_enabled and p.${sql(since)} is not null`,
    over: 'gone',
    reopens: false,
  };
}
