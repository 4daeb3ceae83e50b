import { tokenEvent } from './id-token-records.ts';
import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import type { IdTokenType } from '#shared/domain/charging/session.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { lacksBalance } from '#shared/postgres/money/minimum-balance.ts';

/** A token as authorization needs it. */
interface IdTokenRecord {
  id: number;
  userId: number | null;
  type: IdTokenType;
  isValid: boolean;
  isDriverBlocked: boolean;
  expiresAt: Date | null;
  groupId: string | null;
  whitelist: Whitelist;
}

const columns = (sql: Queryable) => sql`
  id, user_id as "userId", type, is_valid as "isValid", is_driver_blocked as "isDriverBlocked", expires_at as "expiresAt", group_id as "groupId", whitelist`;

/** A token that is presented at a charger. */
export interface PresentedToken extends IdTokenRecord {
  /** Its driver has too little money to start a session. */
  lacksBalance: boolean;
}

/**
 * Returns the token of a charger's network, compared without regard to case (OCPP: identifiers are CiString);
 * null when unknown. Records that this charger got an accepted token, which it may cache. Written once for
 * each token and charger, and once more when its cache was about to be cleared (`beginClearing`).
 */
export async function findIdTokenFor(
  sql: Queryable,
  charger: { id: number; networkId: number },
  uid: string,
): Promise<PresentedToken | null> {
  const [row] = await sql<PresentedToken[]>`
    with token as materialized (
      select t.*, ${lacksBalance(sql)} as lacks_balance from id_tokens t
      where network_id = ${charger.networkId} and lower(uid) = lower(${uid}) and deleted_at is null
    ), sent as (
      insert into id_token_caches (id_token_id, charger_id)
      select id, ${charger.id} from token
      where is_valid and not is_driver_blocked and not lacks_balance and (expires_at is null or expires_at > now())
        and not exists (
          select from id_token_caches k
          where k.id_token_id = token.id and k.charger_id = ${charger.id} and k.told_at > '-infinity'
        )
      on conflict (id_token_id, charger_id) do update set told_at = excluded.told_at
    )
    select ${columns(sql)}, lacks_balance as "lacksBalance" from token`;
  return row ?? null;
}

/** Creates a token without a user in a network; an existing one with this uid stays as it is. */
export async function ensureIdToken(sql: Queryable, networkId: number, uid: string): Promise<void> {
  await sql`
    with t as (
      insert into id_tokens (network_id, uid, type) values (${networkId}, ${uid}, 'OTHER') on conflict do nothing returning *
    )
    ${tokenEvent(sql, 'token.created')}`;
}

/** Token for a remote start or a reservation. */
export interface LatestIdToken extends IdTokenRecord {
  uid: string;
  /** True when the token was invalidated for good. */
  isDeleted: boolean;
}

/** Returns the newest token that a network ever had with this uid, or null. */
export async function findLatestIdToken(
  sql: Queryable,
  networkId: number,
  uid: string,
): Promise<LatestIdToken | null> {
  const [row] = await sql<LatestIdToken[]>`
    select ${latestColumns(sql)} from (${latestIdToken(sql, sql`${networkId}::integer`, uid)}) t`;
  return row ?? null;
}

/** Returns the token that a driver's app charges with in a network, or null. A valid one comes first. */
export async function findAppToken(
  sql: Queryable,
  networkId: number,
  userId: number,
): Promise<LatestIdToken | null> {
  const [row] = await sql<LatestIdToken[]>`
    select ${latestColumns(sql)} from (${appToken(sql, sql`${networkId}::integer`, userId)}) t`;
  return row ?? null;
}

const latestColumns = (sql: Queryable) => sql`${columns(sql)}, uid, deleted_at is not null as "isDeleted"`;

/** Query of the newest token that a network ever had with this uid. */
export const latestIdToken = (sql: Queryable, network: Fragment, uid: string) => sql`
  select * from id_tokens
  where network_id = ${network} and lower(uid) = lower(${uid}::text)
  order by (deleted_at is null) desc, id desc limit 1`;

/** Query of the token that a driver's app charges with in a network. */
export const appToken = (sql: Queryable, network: Fragment, userId: number) => sql`
  select * from id_tokens
  where network_id = ${network} and user_id = ${userId}::integer and type = 'APP_USER' and deleted_at is null
  order by (is_valid and not is_driver_blocked and (expires_at is null or expires_at > now())) desc, id limit 1`;
