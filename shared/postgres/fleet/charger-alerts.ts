import type { AlertRuleSettings } from '#shared/domain/fleet/alert-rules.ts';
import { hasCharged } from './charged-sessions.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { type AlertFinder, ofCharger } from './alert-finder.ts';
import { ruleRows, threshold } from './alert-rule-rows.ts';
import { isConnected } from './connections.ts';
import { currentRejections } from './rejected-connections.statements.ts';

/** Maximum age of the signs of a wrong clock and of refused starts. */
const clockDays = 7;
const refusedHours = 24;

/** Returns the kinds of alerts about chargers whose conditions have thresholds. */
export function chargerAlerts(settings: AlertRuleSettings): AlertFinder[] {
  return [
    locationOffline(settings),
    chargerOffline(settings),
    connectionRejected(settings),
    passwordGuessing,
    startsRefused(settings),
    clockWrong(settings),
  ];
}

/** Chargers without a connection, with the time since: c, at. Chargers that never connected are left out. */
const offlineChargers = (sql: Queryable): Fragment => sql`
  select c.id, c.uuid, c.uid, c.network_id, c.location_id, gone.at
  from chargers c
  cross join lateral (select coalesce(c.disconnected_at, c.last_heartbeat_at, c.connected_at) as at) gone
  where c.deleted_at is null and gone.at is not null and not ${isConnected(sql)}`;

/**
 * Locations whose chargers went offline together: in the window that ends with `last_at`, as many as the rule states, and its share of
 * those that were connected before. Of several such windows the one with the most chargers, then the newest.
 */
const outages = (sql: Queryable, settings: AlertRuleSettings): Fragment => sql`
  with offline as materialized (${offlineChargers(sql)}),
  rule as materialized (
    select rule.network_id, ${threshold(sql, 'offlineSharePercent')} as share_percent,
      ${threshold(sql, 'offlineChargers')} as chargers,
      make_interval(mins => ${threshold(sql, 'windowMinutes')}) as duration,
      -- Never later than the alerts of single chargers, which it replaces.
      make_interval(mins => least(${threshold(sql, 'offlineMinutes')}, single.minutes)) as after
    from (${ruleRows(sql, 'location-offline', settings)}) rule
    join (
      select rule.network_id, ${threshold(sql, 'offlineMinutes')} as minutes
      from (${ruleRows(sql, 'charger-offline', settings)}) rule
    ) single on single.network_id = rule.network_id
    where rule.is_enabled
  ), windows as (
    select o.location_id, o.network_id, o.at as last_at, o.at - rule.duration as from_at, rule.share_percent, rule.chargers,
      rule.after,
      -- In units of the rule's duration, which differs from network to network.
      count(*) over (partition by o.location_id order by extract(epoch from o.at) / extract(epoch from rule.duration)
        range between 1 preceding and current row) as count
    from offline o join rule on rule.network_id = o.network_id
    where o.location_id is not null
  ), largest as (
    select distinct on (w.location_id) w.* from windows w where w.count >= w.chargers
    order by w.location_id, w.count desc, w.last_at desc
  ), named as (
    select w.location_id, w.network_id, w.last_at, w.share_percent, w.after, min(o.at) filter (where ${isNamed(sql)}) as since,
      count(*) filter (where ${isNamed(sql)}) as count, count(*) filter (where o.at < w.from_at) as earlier,
      array_agg(o.id) filter (where ${isNamed(sql)}) as ids,
      jsonb_agg(o.uuid order by o.uid) filter (where ${isNamed(sql)}) as uuids,
      jsonb_agg(o.uid order by o.uid) filter (where ${isNamed(sql)}) as uids
    from largest w join offline o on o.location_id = w.location_id
    group by w.location_id, w.network_id, w.last_at, w.share_percent, w.after
  )
  select n.*, connected.count as of_chargers
  from named n
  cross join lateral (
    select count(*) - n.earlier as count from chargers c
    where c.location_id = n.location_id and c.deleted_at is null and c.connected_at is not null
  ) connected
  where n.count * 100 >= connected.count * n.share_percent and n.since <= now() - n.after`;

const isNamed = (sql: Queryable) => sql`o.at between w.from_at and w.last_at`;

function locationOffline(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'location-offline',
    resource: 'location',
    find: (sql) => sql`
      select o.network_id, l.uuid::text as resource_id, l.name as resource_name, null::integer as charger_id,
        null::bigint as session_id, '' as subject,
        o.count || ' of ' || o.of_chargers || ' chargers at ' || l.name || ' went offline together.' as message,
        jsonb_build_object('since', o.since, 'chargerCount', o.count, 'ofChargers', o.of_chargers, 'chargerIds', o.uuids,
          'chargerNames', o.uids) as details,
        o.last_at as occurred_at
      from (${outages(sql, settings)}) o join locations l on l.id = o.location_id`,
    over: 'gone',
    reopens: false,
  };
}

function chargerOffline(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'charger-offline',
    resource: 'charger',
    find: (sql) => sql`
      select ${ofCharger(sql)}, '' as subject, 'The charger ' || c.uid || ' is offline.' as message,
        jsonb_build_object('since', c.at) as details, c.at as occurred_at
      from (${offlineChargers(sql)}) c
      join (${ruleRows(sql, 'charger-offline', settings)}) rule on rule.network_id = c.network_id
      where c.at <= now() - make_interval(mins => ${threshold(sql, 'offlineMinutes')})
        -- The alert of their location names them.
        and c.id not in (select unnest(o.ids) from (${outages(sql, settings)}) o)`,
    over: 'gone',
    reopens: false,
  };
}

/** Begin of the time in which refused starts are counted. */
const since = (sql: Queryable) => sql`now() - make_interval(hours => ${refusedHours})`;

/** Time without an attempt after which rejected connections are over: longer than the pause between two attempts of a charger. */
const rejectedHours = 1;

/** Rejected connections of registered chargers in the last hour: r, c. */
const recentRejections = (sql: Queryable): Fragment => sql`
  ${currentRejections(sql)} and c.id is not null and r.last_at > now() - make_interval(hours => ${rejectedHours})`;

function connectionRejected(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'connection-rejected',
    resource: 'charger',
    find: (sql) => sql`
      select ${ofCharger(sql)}, r.reason as subject,
        'Connections of ' || c.uid || ' are rejected: ' || replace(r.reason, '-', ' ') || '.' as message,
        jsonb_build_object('reason', r.reason, 'attempts', r.attempts, 'remoteAddress', r.remote_address) as details,
        r.last_at as occurred_at
      from (${ruleRows(sql, 'connection-rejected', settings)}) rule
      join (select r.*, c.network_id from ${recentRejections(sql)}
        and r.reason <> 'too-many-attempts') r
        on r.network_id = rule.network_id and r.attempts >= ${threshold(sql, 'rejectedAttempts')}
      join chargers c on c.id = r.charger_id`,
    over: 'gone',
    reopens: false,
  };
}

const passwordGuessing: AlertFinder = {
  kind: 'password-guessing',
  resource: 'charger',
  find: (sql) => sql`
    select ${ofCharger(sql)}, '' as subject,
      'Wrong passwords for ' || c.uid || ' are throttled: their sender may be guessing.' as message,
      jsonb_build_object('attempts', r.attempts, 'remoteAddress', r.remote_address) as details, r.last_at as occurred_at
    from ${recentRejections(sql)} and r.reason = 'too-many-attempts'`,
  over: 'gone',
  reopens: false,
};

/** Starts that a charger or the authorization of their token refused, since the last start that succeeded. */
function startsRefused(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'starts-refused',
    resource: 'charger',
    find: (sql) => sql`
      with refused as materialized (
        select charger_id, requested_at as at from remote_starts
        where status = 'refused' and requested_at > ${since(sql)}
        union all
        select charger_id, start_received_at from sessions
        where authorization_status <> 'Accepted' and start_received_at > ${since(sql)}
      )
      select ${ofCharger(sql)}, '' as subject,
        counted.count || ' starts in a row were refused at ' || c.uid || '.' as message,
        jsonb_build_object('refusedStarts', counted.count) as details, counted.last_at as occurred_at
      from (select charger_id, count(*) as count, array_agg(at) as times from refused group by charger_id) candidate
      join chargers c on c.id = candidate.charger_id and c.deleted_at is null
      join (${ruleRows(sql, 'starts-refused', settings)}) rule
        on rule.network_id = c.network_id and candidate.count >= ${threshold(sql, 'refusedStarts')}
      cross join lateral (
        select greatest(
          (select n.start_received_at from sessions n where n.charger_id = c.id and n.authorization_status = 'Accepted'
            and ${hasCharged(sql)} order by n.started_at desc, n.id desc limit 1),
          (select r.requested_at from remote_starts r where r.charger_id = c.id and r.status = 'started'
            order by r.id desc limit 1)) as at
      ) success
      cross join lateral (
        select count(*), max(refusal.at) as last_at from unnest(candidate.times) refusal(at)
        where success.at is null or refusal.at > success.at
      ) counted
      where counted.count >= ${threshold(sql, 'refusedStarts')}`,
    over: 'gone',
    reopens: false,
  };
}

/**
 * Newest session of a charger whose time was replaced because it was impossible, or whose start arrived late over a connection that was
 * open all the time.
 */
function clockWrong(settings: AlertRuleSettings): AlertFinder {
  return {
    kind: 'clock-wrong',
    resource: 'charger',
    find: (sql) => sql`
      select distinct on (c.id) ${ofCharger(sql)}, '' as subject, 'The clock of ' || c.uid || ' is wrong.' as message,
        jsonb_build_object('sessionId', s.uuid, 'flags', s.flags, 'offMinutes',
          case when not s.flags && '{time-past,time-future}'
            then round(extract(epoch from s.start_received_at - s.started_at) / 60)::integer end) as details,
        s.start_received_at as occurred_at
      from sessions s
      join chargers c on c.id = s.charger_id and c.deleted_at is null
      join (${ruleRows(sql, 'clock-wrong', settings)}) rule on rule.network_id = c.network_id
      where (s.flags && '{time-past,time-future}' or s.start_received_at - s.started_at > interval '5 minutes')
        and s.start_received_at > now() - make_interval(days => ${clockDays})
        and (s.flags && '{time-past,time-future}' or (s.started_at > c.connected_at
          and s.start_received_at - s.started_at > make_interval(mins => ${threshold(sql, 'clockOffMinutes')})))
        and not exists (select from sessions n where n.charger_id = s.charger_id and n.id > s.id)
      order by c.id, s.id desc`,
    over: 'gone',
    reopens: false,
  };
}
