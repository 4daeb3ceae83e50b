import type { AlertRuleSettings } from '#shared/domain/fleet/alert-rules.ts';
import { idlePowerW } from '#shared/domain/charging/idle.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { AlertFinder } from './alert-finder.ts';
import { ruleRows, threshold } from './alert-rule-rows.ts';
import { isConnected } from './connections.ts';

/** Days after its expiry for which a certificate or a key is still an alert. */
const expiredDays = 30;

/** Returns the kinds of alerts about sessions, certificates, keys, partners and gateways whose conditions have thresholds. */
export function watchedAlerts(settings: AlertRuleSettings): AlertFinder[] {
  return [
    sessionWithoutEnergy(settings),
    certificateExpiring(settings),
    apiKeyExpiring(settings),
    partnerUnreachable(settings),
    partnerTokenExpiring(settings),
    gatewaySpooling(settings),
  ];
}

/**
 * Running session whose readings show no energy, while neither the vehicle nor the charger reports a pause. A session without any
 * reading is left out: some chargers send none.
 */
function sessionWithoutEnergy(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'session-without-energy',
    resource: 'session',
    find: (sql) => sql`
      select s.network_id, s.uuid::text as resource_id, c.uid as resource_name, c.id as charger_id, s.id as session_id,
        '' as subject, 'A session at ' || c.uid || ' runs without energy.' as message,
        jsonb_build_object('chargerId', c.uuid, 'since', without.since, 'energyKwh', round(s.energy_wh::numeric / 1000, 4)) as details,
        without.since as occurred_at
      from sessions s
      join connectors k on k.id = s.connector_id
      join chargers c on c.id = s.charger_id and c.deleted_at is null
      join (${ruleRows(sql, 'session-without-energy', settings)}) rule on rule.network_id = s.network_id
      cross join lateral (
        select case when s.energy_wh > 0 then s.no_power_since else s.start_received_at end as since
      ) without
      where s.status in ('ACTIVE', 'STOPPING') and s.live_at is not null and s.free_since is null
        and coalesce(s.power_w, 0) < ${idlePowerW}
        and without.since <= now() - make_interval(mins => ${threshold(sql, 'withoutEnergyMinutes')})
        and k.status not in ('SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Faulted')
        and ${isConnected(sql)}`,
    over: 'gone',
    reopens: false,
  };
}

/** Certificate that a charger holds and no later one of its type replaces, or that a network trusts. */
function certificateExpiring(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'certificate-expiring',
    resource: 'certificate',
    find: (sql) => sql`
      with rule as materialized (${ruleRows(sql, 'certificate-expiring', settings)}),
      certificate as (
        select c.network_id, k.uuid, c.id as charger_id, c.uid || ', ' || k.certificate_type as name, k.valid_to,
          jsonb_build_object('chargerId', c.uuid, 'certificateType', k.certificate_type, 'serialNumber', k.serial_number)
            as details
        from charger_certificates k join chargers c on c.id = k.charger_id and c.deleted_at is null
        where k.deleted_at is null and ${isExpiring(sql, 'k.valid_to')} and not exists (
          select from charger_certificates later
          where later.charger_id = k.charger_id and later.certificate_type = k.certificate_type
            and later.deleted_at is null and later.valid_to > k.valid_to)
        union all
        select t.network_id, t.uuid, null, t.subject, t.valid_to, jsonb_build_object('subject', t.subject)
        from trusted_certificates t where ${isExpiring(sql, 't.valid_to')}
      )
      select k.network_id, k.uuid::text as resource_id, k.name as resource_name, k.charger_id, null::bigint as session_id,
        '' as subject, 'The certificate ' || k.name || ' expires on ' || k.valid_to::date || '.' as message,
        k.details || jsonb_build_object('expiresAt', k.valid_to) as details,
        k.valid_to - ${expiryPeriod(sql)} as occurred_at
      from certificate k join rule on rule.network_id = k.network_id
      where k.valid_to <= now() + ${expiryPeriod(sql)}`,
    over: 'gone',
    reopens: false,
  };
}

/** Key of the API: one alert in each of its networks, or one of the whole system for an unrestricted key. */
function apiKeyExpiring(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'api-key-expiring',
    resource: 'api-key',
    find: (sql) => sql`
      select p.network_id, k.uuid::text as resource_id, coalesce(k.name, k.key_prefix) as resource_name,
        null::integer as charger_id, null::bigint as session_id, coalesce(p.network_id::text, '') as subject,
        'The API key ' || coalesce(k.name, k.key_prefix) || ' expires on ' || k.expires_at::date || '.' as message,
        jsonb_build_object('expiresAt', k.expires_at, 'last4', k.last4) as details,
        k.expires_at - ${expiryPeriod(sql)} as occurred_at
      from api_keys k
      left join api_key_networks p on p.api_key_id = k.id
      join (${ruleRows(sql, 'api-key-expiring', settings)}) rule
        on coalesce(rule.network_id, 0) = coalesce(p.network_id, 0)
      where k.revoked_at is null and k.deleted_at is null and k.user_id is null
        and (p.network_id is not null or k.unrestricted)
        and ${isExpiring(sql, 'k.expires_at')} and k.expires_at <= now() + ${expiryPeriod(sql)}`,
    over: 'gone',
    reopens: false,
  };
}

/** The time lies in the bounds of all rules, which an index finds. */
const isExpiring = (sql: Queryable, column: string) => sql`
  (${sql(column)} > now() - make_interval(days => ${expiredDays}) and ${sql(column)} <= now() + interval '365 days')`;

const expiryPeriod = (sql: Queryable) => sql`make_interval(days => ${threshold(sql, 'expiresInDays')})`;

/** Roaming partner whose circuit breaker is open: pushes to it fail. */
function partnerUnreachable(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'partner-unreachable',
    resource: 'ocpi-partner',
    find: (sql) => sql`
      select p.network_id, p.uuid::text as resource_id, p.name as resource_name, null::integer as charger_id,
        null::bigint as session_id, '' as subject, 'The OCPI partner ' || p.name || ' is unreachable.' as message,
        jsonb_build_object('since', lane.unreachable_since, 'lastError', lane.last_error) as details,
        lane.unreachable_since as occurred_at
      from ocpi_push_lanes lane
      join ocpi_partners p on p.id = lane.partner_id and p.deleted_at is null and p.status = 'REGISTERED'
      join (${ruleRows(sql, 'partner-unreachable', settings)}) rule on rule.network_id = p.network_id
      where lane.unreachable_since <= now() - make_interval(mins => ${threshold(sql, 'unreachableMinutes')})`,
    over: 'gone',
    reopens: false,
  };
}

/** Duration after which a renewal without a result has failed: longer than the claim of its handshake. */
const renewalPeriod = '2 minutes';

/** Roaming partner whose token expires and could not be renewed, or has expired. */
function partnerTokenExpiring(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'partner-token-expiring',
    resource: 'ocpi-partner',
    find: (sql) => sql`
      select p.network_id, p.uuid::text as resource_id, p.name as resource_name, null::integer as charger_id,
        null::bigint as session_id, '' as subject,
        'The token of the OCPI partner ' || p.name || ' expires on ' || p.token_expires_at::date || ' and was not renewed.'
          as message,
        jsonb_build_object('expiresAt', p.token_expires_at, 'lastError', p.token_renewal_error) as details,
        p.token_expires_at - ${expiryPeriod(sql)} as occurred_at
      from ocpi_partners p
      join (${ruleRows(sql, 'partner-token-expiring', settings)}) rule on rule.network_id = p.network_id
      where p.status = 'REGISTERED' and p.deleted_at is null
        and ((p.token_expires_at <= now() + ${expiryPeriod(sql)} and (p.token_renewal_error is not null
            or p.token_renewal_at <= now() - ${renewalPeriod}::interval))
          or p.token_expires_at <= now())`,
    over: 'gone',
    reopens: false,
  };
}

function gatewaySpooling(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'gateway-spooling',
    resource: 'gateway',
    find: (sql) => sql`
      select null::integer as network_id, 'spool' as resource_id, 'spool' as resource_name, null::integer as charger_id,
        null::bigint as session_id, '' as subject,
        'Meter readings wait on the disk of a gateway: ClickHouse or PostgreSQL does not accept them.' as message,
        jsonb_build_object('batches', max(g.spooled_batches)) as details, min(g.spooling_since) as occurred_at
      from gateway_shards g
      join (${ruleRows(sql, 'gateway-spooling', settings)}) rule on rule.network_id is null
      where g.spooling_since <= now() - make_interval(mins => ${threshold(sql, 'spoolingMinutes')})
      having count(*) > 0`,
    over: 'gone',
    reopens: false,
  };
}
