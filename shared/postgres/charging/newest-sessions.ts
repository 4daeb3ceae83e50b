import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';

/** A list of sessions `s` in an order that indexes have. */
export interface SessionsInOrder {
  /** Owners of the sessions: networks, and one driver where `userId` is given. */
  scope: { networks: NetworkScope; userId: number | null };
  locationUuid?: string | undefined;
  /** True for a list of few sessions, such as those of a driver or running ones, which an index finds. */
  isNarrow: boolean;
  /** All conditions on them, those of the scope and of the location too; it names no other table. */
  where: () => Fragment;
  order: Fragment;
}

/** A list of sessions `s`, the newest first. */
export interface NewestFirst extends Omit<SessionsInOrder, 'order'> {
  newestBy: 'started_at' | 'ended_at';
}

/** The order of such a list. */
export const newestFirst = (sql: Queryable, { newestBy }: Pick<NewestFirst, 'newestBy'>) =>
  sql`order by s.${sql(newestBy)} desc, s.id desc`;

/**
 * Selects the source of the first `most` sessions of a list: for a location the first sessions of each of
 * its chargers, for several networks the first of each of them. Indexes hold the sessions of a charger, and
 * of a network, in order. Otherwise PostgreSQL would scan all sessions for those of a location that has few,
 * and sort all those of networks that have many.
 */
export function newestSource(sql: Queryable, list: SessionsInOrder, most: number): Fragment {
  const { networks, userId } = list.scope;
  if (list.locationUuid !== undefined) {
    const chargers = sql`chargers each join locations l on l.id = each.location_id and l.uuid = ${list.locationUuid}`;
    return newestOfEach(sql, list, chargers, sql`s.charger_id`, most);
  }
  // Each network would be looked through for as many as are wanted.
  if (networks.all || networks.networkIds.length < 2 || userId !== null || list.isNarrow) {
    return sql`sessions`;
  }
  const each = sql`(select distinct unnest(${networks.networkIds as number[]}::integer[]) as id) each`;
  return newestOfEach(sql, list, each, sql`s.network_id`, most);
}

function newestOfEach(
  sql: Queryable,
  list: SessionsInOrder,
  each: Fragment,
  column: Fragment,
  most: number,
): Fragment {
  const rows = sql`select * from sessions s where ${column} = each.id and ${list.where()}`;
  return sql`(
    select s.* from ${each} cross join lateral ${lateJoinPage(sql, 's', rows, list.order, { limit: most })} s)`;
}
