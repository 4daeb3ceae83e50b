import type { PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.statements.ts';

/** The profile id that a partner's profile of a session has at the charger: made at the first time. */
export async function ensureSessionProfile(sql: Queryable, sessionUuid: string): Promise<number> {
  const [row] = await sql<{ profileId: number }[]>`
    insert into ocpi_profiles as p (session_id, profile_id)
    select id, nextval('ocpp_charging_profile_id')::integer from sessions where uuid = ${sessionUuid}
    on conflict (session_id) do update set profile_id = p.profile_id
    returning profile_id as "profileId"`;
  if (row === undefined) throw new Error('the session of a charging profile is gone');
  return row.profileId;
}

/** The id of the profile that a partner gave a session and the charger accepted; null: it gave none. */
export async function findSessionProfile(sql: Queryable, sessionUuid: string): Promise<number | null> {
  const [row] = await sql<{ profileId: number }[]>`
    select p.profile_id as "profileId" from ocpi_profiles p join sessions s on s.id = p.session_id
    where s.uuid = ${sessionUuid} and p.is_accepted`;
  return row?.profileId ?? null;
}

/**
 * Records that the charger accepted the partner's profile: from now on the partner receives the profile in
 * effect, beginning with this one.
 */
export async function acceptSessionProfile(sql: Queryable, sessionUuid: string): Promise<void> {
  await sql`
    update ocpi_profiles set is_accepted = true, changed_at = clock_timestamp()
    where session_id = (select id from sessions where uuid = ${sessionUuid})`;
}

/** The condition that a charging profile in effect may have changed that a partner must receive. */
export const areProfilesDue = (sql: Queryable): Fragment => sql`
  (exists (select from ocpi_profiles where changed_at is distinct from pushed_at)
    or ${hasEvents(sql, 'charging-changes')})`;

/** Takes on to tell of the sessions whose active profile may have changed; answers their uuids. */
export async function claimChangedProfiles(transaction: Transaction, limit: number): Promise<string[]> {
  const rows = await transaction<{ uuid: string }[]>`
    with due as (
      select session_id from ocpi_profiles where changed_at is distinct from pushed_at
      limit ${limit} for update skip locked
    )
    update ocpi_profiles p set pushed_at = changed_at
    from due join sessions s on s.id = due.session_id
    where p.session_id = due.session_id
    returning s.uuid`;
  return rows.map(({ uuid }) => uuid);
}

/** Session whose partner receives the charging profile in effect. */
interface WatchedSession {
  uuid: string;
  chargerUuid: string;
  connectorNumber: number;
  partnerUuid: string;
  networkId: number;
  /** Party whose token started it. */
  party: PartyOnWire;
}

/** The running session of a partner whose profile was accepted; null: it ended. */
export async function findWatchedSession(
  sql: Queryable,
  sessionUuid: string,
): Promise<WatchedSession | null> {
  const [row] = await sql<WatchedSession[]>`
    select s.uuid, c.uuid as "chargerUuid", k.number as "connectorNumber", o.uuid as "partnerUuid",
      o.network_id as "networkId", s.ocpi_token as party
    from ocpi_profiles p join sessions s on s.id = p.session_id join chargers c on c.id = s.charger_id
    join connectors k on k.id = s.connector_id join ocpi_partners o on o.id = s.ocpi_partner_id
    where s.uuid = ${sessionUuid} and s.status in ('ACTIVE', 'STOPPING')`;
  return row ?? null;
}
