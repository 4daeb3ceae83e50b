import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { isConnected } from '#shared/postgres/fleet/connections.ts';

/** Seconds after a change in which a charger can still receive the earlier state: replies in transit. */
const inFlightSeconds = 120;

/**
 * Queues restricted tokens for the chargers that hold them. Stored in the transaction of the change; a job updates
 * the chargers. The time is taken while the tokens are locked, so that it is later than that of any list read before
 * the change.
 */
export async function queueTokenChanges(transaction: Transaction, tokenIds: number[]): Promise<void> {
  await transaction`
    update id_tokens set chargers_must_forget = true, forget_since = clock_timestamp()
    where id = any(${tokenIds}::integer[])`;
}

/** Selects the chargers that hold an outdated state of a token `t`: in the cache, or in the local list. */
const holders = (sql: Queryable) => sql`
  select k.id_token_id, k.charger_id, true as in_cache from id_token_caches k
  where k.id_token_id = t.id and k.told_at < t.forget_since + make_interval(secs => ${inFlightSeconds})
  union all
  select e.id_token_id, e.charger_id, false from local_list_entries e
  where e.id_token_id = t.id and e.read_at <= t.forget_since`;

/** Number of chargers that have not yet received a token's change. */
export interface TokenHolders {
  chargers: number;
  /** Those of them that are not connected: they receive it when they reconnect. */
  offline: number;
}

/** Returns how many chargers have not yet received a token's change. */
export async function countTokenHolders(sql: Queryable, tokenId: number): Promise<TokenHolders> {
  const [row] = await sql<TokenHolders[]>`
    select count(*)::integer as chargers, (count(*) filter (where not ${isConnected(sql)}))::integer as offline
    from chargers c
    where c.deleted_at is null and c.id in (
      select h.charger_id from id_tokens t, lateral (${holders(sql)}) h
      where t.id = ${tokenId} and t.chargers_must_forget)`;
  return row ?? { chargers: 0, offline: 0 };
}

/** Connected charger that holds changed tokens. */
export interface PendingTokenChanges {
  id: number;
  uuid: string;
  uid: string;
  networkId: number;
  ocppVersion: string | null;
  /** Number of attempts to update it, with this one. */
  attempts: number;
  /** True when one of them can be in its cache. */
  inCache: boolean;
  /** True when one of them is in its local list. */
  inList: boolean;
}

/**
 * Claims up to `most` connected chargers that hold changed tokens, apart from those at work (`busy`, by id). No other process claims
 * them for `leaseSeconds`, doubled with each attempt, up to an hour.
 */
export async function claimTokenChanges(
  sql: Sql,
  most: number,
  leaseSeconds: number,
  busy: number[],
): Promise<PendingTokenChanges[]> {
  return sql<PendingTokenChanges[]>`
    with held as (
      select h.charger_id, bool_or(h.in_cache) as "inCache", bool_or(not h.in_cache) as "inList"
      from id_tokens t, lateral (${holders(sql)}) h
      where t.chargers_must_forget group by h.charger_id
    ), due as (
      select h.*, c.uuid, c.uid, c.network_id, c.ocpp_version from held h
      join chargers c on c.id = h.charger_id and c.deleted_at is null
      left join token_notices o on o.charger_id = h.charger_id
      where ${isConnected(sql)} and coalesce(o.next_at <= now(), true) and c.id <> all(${busy}::integer[])
      order by h.charger_id limit ${most}
    ), claimed as (
      insert into token_notices as o (charger_id, attempts, next_at)
      select charger_id, 1, now() + make_interval(secs => ${leaseSeconds}) from due order by charger_id
      on conflict (charger_id) do update set attempts = o.attempts + 1,
        next_at = now() + make_interval(secs => least(3600, ${leaseSeconds} * power(2, least(o.attempts, 12))))
        where o.next_at <= now()
      returning charger_id, attempts
    )
    select d.charger_id as id, d.uuid, d.uid, d.network_id as "networkId", d.ocpp_version as "ocppVersion", k.attempts,
      d."inCache", d."inList"
    from due d join claimed k on k.charger_id = d.charger_id`;
}

/** The condition that a token must be removed from chargers. */
export const areTokenChangesDue = (sql: Queryable): Fragment =>
  sql`exists (select from id_tokens where chargers_must_forget)`;

/**
 * Marks the start of a cache clearing. A token sent to the charger from now on can arrive after the clearing,
 * so it removes the mark (a time before all others). Tokens sent earlier arrive before it: the gateway
 * answers the current call of the charger first.
 */
export async function beginClearing(sql: Queryable, chargerId: number): Promise<void> {
  await sql`update id_token_caches set told_at = '-infinity' where charger_id = ${chargerId}`;
}

/** Records that a charger cleared its cache: removes the tokens that it was not sent since. */
export async function completeClearing(sql: Queryable, chargerId: number): Promise<void> {
  await sql`delete from id_token_caches where charger_id = ${chargerId} and told_at = '-infinity'`;
}

/** Records that a charger accepted all changes: the next one need not wait. */
export async function completeTokenChanges(sql: Queryable, chargerId: number): Promise<void> {
  await sql`delete from token_notices where charger_id = ${chargerId}`;
}

/** Ends the search for holders of changed tokens that no charger holds any more. */
export async function closeTokenChanges(sql: Queryable): Promise<void> {
  await sql`
    update id_tokens t set chargers_must_forget = false
    where t.chargers_must_forget and t.forget_since < now() - make_interval(secs => ${inFlightSeconds})
      and not exists (${holders(sql)})`;
}
