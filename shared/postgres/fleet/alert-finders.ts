import { alarmingSecurityEvents } from '#shared/domain/fleet/alert.ts';
import type { AlertRuleSettings } from '#shared/domain/fleet/alert-rules.ts';
import { amended, estimated } from '#shared/domain/charging/session.ts';
import { hasCharged } from './charged-sessions.ts';
import type { Queryable, Fragment } from '#shared/postgres/kernel/client.ts';
import { type AlertFinder, ofCharger } from './alert-finder.ts';
import { thresholdExceeded } from './alert-thresholds.statements.ts';
import { chargerAlerts } from './charger-alerts.ts';
import { loadAlerts } from './load-alerts.ts';
import { watchedAlerts } from './watched-alerts.ts';

/** The condition that the end of a session `s` is no longer assumed. */
const isEndConfirmed = (sql: Queryable) =>
  sql`(s.flags @> ${[amended]}::text[] or s.price_decision is not distinct from 'AMENDED')`;

/** Maximum age of a single event that is still found; longer than any outage of the job. */
const lookBack = (sql: Queryable) => sql`now() - interval '7 days'`;

/** Returns all kinds, with the thresholds of each network's rules. Alerts of locations come before alerts of their chargers. */
export function alertFinders(settings: AlertRuleSettings): AlertFinder[] {
  return [
    ...chargerAlerts(settings),
    ...finders,
    ...watchedAlerts(settings),
    ...loadAlerts,
    thresholdExceeded,
  ];
}

const finders: AlertFinder[] = [
  {
    kind: 'charger-faulted',
    resource: 'charger',
    find: (sql) => sql`
      select ${ofCharger(sql)}, '' as subject, 'The charger ' || c.uid || ' is faulted.' as message,
        '{}'::jsonb as details, c.updated_at as occurred_at
      from chargers c where c.deleted_at is null and c.station_status = 'Faulted'`,
    over: 'gone',
    reopens: false,
  },
  {
    kind: 'connector-faulted',
    resource: 'connector',
    find: (sql) => sql`
      select c.network_id, k.uuid::text as resource_id, c.uid || '/' || k.number as resource_name, c.id as charger_id,
        null::bigint as session_id, '' as subject,
        'Connector ' || k.number || ' of ' || c.uid || ' is faulted'
          || coalesce(': ' || coalesce(k.vendor_error_code, nullif(k.error_code, 'NoError')), '') || '.' as message,
        jsonb_build_object('chargerId', c.uuid, 'connectorNumber', k.number, 'errorCode', k.error_code,
          'vendorErrorCode', k.vendor_error_code, 'info', k.status_info) as details,
        coalesce(k.status_at, k.updated_at) as occurred_at
      from connectors k join chargers c on c.id = k.charger_id and c.deleted_at is null
      where k.status = 'Faulted' and k.deleted_at is null`,
    over: 'gone',
    reopens: false,
  },
  {
    kind: 'session-without-tariff',
    resource: 'charger',
    find: (sql) => sql`
      select distinct on (c.id) ${ofCharger(sql)}, '' as subject,
        'A session at ' || c.uid || ' has no price: no tariff is assigned there.' as message,
        jsonb_build_object('sessionId', s.uuid) as details, s.start_received_at as occurred_at
      from sessions s join chargers c on c.id = s.charger_id and c.deleted_at is null
      where s.tariff is null and s.cost is null and s.start_received_at > ${lookBack(sql)}
        and not ${isNewestPriced(sql, sql`c.id`)}
      order by c.id, s.start_received_at desc`,
    over: (sql) => isNewestPriced(sql, sql`a.charger_id`),
    reopens: false,
  },
  {
    kind: 'session-estimated',
    resource: 'session',
    find: (sql) => sql`
      select s.network_id, s.uuid::text as resource_id, c.uid as resource_name, c.id as charger_id, s.id as session_id,
        '' as subject, 'A session at ' || c.uid || ' was closed by estimate: its stop never came.' as message,
        jsonb_build_object('chargerId', c.uuid, 'flags', s.flags) as details, s.ended_at as occurred_at
      from sessions s join chargers c on c.id = s.charger_id and c.deleted_at is null
      where s.flags @> '{estimated}' and not ${isEndConfirmed(sql)}
        and s.ended_at > now() - interval '30 days'`,
    over: (sql) => sql`exists (
      select from sessions s where s.id = a.session_id
        and (${isEndConfirmed(sql)} or not s.flags @> ${[estimated]}::text[]))`,
    reopens: false,
  },
  {
    kind: 'session-in-review',
    resource: 'session',
    find: (sql) => sql`
      select s.network_id, s.uuid::text as resource_id, c.uid as resource_name, c.id as charger_id, s.id as session_id,
        '' as subject,
        'A session at ' || c.uid || case when s.flags @> '{partner-statement}' then ' has other values at its roaming partner'
            when s.flags @> '{signature-invalid}' then ' has an invalid signature'
          else ' has implausible values' end
          || ': it is not charged before you approve or amend it.' as message,
        jsonb_build_object('chargerId', c.uuid, 'flags', s.flags, 'energyKwh', round(s.energy_wh::numeric / 1000, 4),
          'currency', s.currency, 'totalInclVatMinor', s.cost_minor) as details,
        coalesce(s.ended_at, s.updated_at) as occurred_at
      from sessions s join chargers c on c.id = s.charger_id and c.deleted_at is null
      where s.price_state = 'REVIEW' or (s.partner_statement is not null and s.ended_at is null)`,
    over: (sql) => sql`exists (
      select from sessions s where s.id = a.session_id and s.price_state <> 'REVIEW'
        and (s.partner_statement is null or s.ended_at is not null))`,
    reopens: false,
  },
  {
    kind: 'unmatched-stop',
    resource: 'charger',
    find: (sql) => sql`
      select distinct on (c.id) ${ofCharger(sql)}, '' as subject,
        c.uid || ' reported the end of a session that is not known.' as message,
        jsonb_build_object('transactionId', u.ocpp_transaction_id, 'stop', u.stop) as details,
        u.received_at as occurred_at
      from unmatched_stops u join chargers c on c.id = u.charger_id and c.deleted_at is null
      where u.received_at > ${lookBack(sql)} order by c.id, u.received_at desc`,
    over: 'never',
    reopens: true,
  },
  {
    kind: 'security-event',
    resource: 'charger',
    find: (sql) => sql`
      select distinct on (c.id, e.type) ${ofCharger(sql)}, e.type as subject,
        'Security event of ' || c.uid || ': ' || e.type || '.' as message,
        jsonb_build_object('type', e.type, 'techInfo', e.tech_info, 'occurredAt', e.occurred_at) as details,
        e.received_at as occurred_at
      from security_events e join chargers c on c.id = e.charger_id and c.deleted_at is null
      where e.received_at > ${lookBack(sql)} and e.type = any(${[...alarmingSecurityEvents]}::text[])
      order by c.id, e.type, e.received_at desc`,
    over: 'never',
    reopens: true,
  },
  {
    kind: 'firmware-failed',
    resource: 'charger',
    find: (sql) => sql`
      select distinct on (c.id) ${ofCharger(sql)}, '' as subject,
        'A firmware update of ' || c.uid || ' failed: ' || f.status || '.' as message,
        jsonb_build_object('firmwareUpdateId', f.uuid, 'status', f.status, 'location', f.location,
          'firmwareVersion', f.firmware_version) as details,
        f.closed_at as occurred_at
      from firmware_updates f join chargers c on c.id = f.charger_id and c.deleted_at is null
      where f.outcome = 'failed' and f.closed_at > ${lookBack(sql)} order by c.id, f.closed_at desc`,
    over: (sql) => sql`exists (
      select from firmware_updates f
      where f.charger_id = a.charger_id and f.outcome = 'succeeded' and f.closed_at > a.last_occurred_at)`,
    reopens: true,
  },
  {
    kind: 'ocpi-party-refused',
    resource: 'ocpi-partner',
    find: (sql) => sql`
      select p.network_id, p.uuid::text as resource_id, p.name as resource_name, null::integer as charger_id,
        null::bigint as session_id, '' as subject,
        'The OCPI partner ' || p.name || ' named parties that it was not granted: '
          || array_to_string(p.refused_parties, ', ') || '.' as message,
        jsonb_build_object('parties', p.refused_parties) as details, p.refused_at as occurred_at
      from ocpi_partners p where p.refused_at > ${lookBack(sql)} and p.deleted_at is null`,
    over: 'never',
    reopens: true,
  },
  {
    kind: 'ocpi-object-refused',
    resource: 'ocpi-partner',
    find: (sql) => sql`
      select p.network_id, p.uuid::text as resource_id, p.name as resource_name, null::integer as charger_id,
        null::bigint as session_id, '' as subject,
        'The OCPI partner ' || p.name || ' keeps refusing ' || q.refused || ' of our objects: they are sent hours apart.' as message,
        jsonb_build_object('refused', q.refused, 'lastError', q.last_error) as details, q.since as occurred_at
      from ocpi_partners p
      join (
        select partner_id, count(*)::integer as refused, min(set_aside_at) as since,
          (array_agg(last_error order by set_aside_at desc))[1] as last_error
        from ocpi_pushes where set_aside_at is not null group by partner_id) q on q.partner_id = p.id
      where p.deleted_at is null`,
    over: 'gone',
    reopens: false,
  },
  {
    kind: 'payment-currency-mismatch',
    resource: 'wallet',
    find: (sql) => sql`
      select w.network_id, w.uuid::text as resource_id, u.provider_reference as resource_name, null::integer as charger_id,
        null::bigint as session_id, u.uuid::text as subject,
        'The payment ' || u.provider_reference || ' came in ' || u.mismatched_currency || ', and its wallet is in '
          || w.currency || ': nothing was booked.' as message,
        jsonb_build_object('topUpId', u.uuid, 'reference', u.provider_reference, 'currency', w.currency,
          'reportedCurrency', u.mismatched_currency, 'reportedMinor', u.mismatched_minor) as details,
        u.mismatched_at as occurred_at
      from wallet_top_ups u join wallets w on w.id = u.wallet_id where u.mismatched_at > ${lookBack(sql)}`,
    over: 'never',
    reopens: true,
  },
];

/** Returns a condition: the newest session of a charger has a tariff, or a price that was set. */
function isNewestPriced(sql: Queryable, charger: Fragment): Fragment {
  return sql`coalesce((
    select n.tariff is not null or n.cost is not null from sessions n
    where n.charger_id = ${charger} and ${hasCharged(sql)} order by n.started_at desc, n.id desc limit 1), false)`;
}
