import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { runsAt } from '#shared/postgres/fleet/connectors.statements.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { type MinimumBalance, minimumBalance } from '#shared/postgres/money/minimum-balance.ts';
import { hasUntakenHold } from '#shared/postgres/money/wallet-holds.ts';
import { appToken, type LatestIdToken, latestIdToken } from '#shared/postgres/people/id-tokens.statements.ts';

/** Connector at which a session is requested. */
export interface StartConnector extends ConnectorPosition {
  id: number;
  uuid: string;
  number: number;
  status: string;
  /** A session with a token runs at its EVSE. A session that waits for a token is no obstacle (2.0.1 E02). */
  isBusy: boolean;
  /** Tokens and groups of tokens that the EVSE is reserved for now. */
  reservedFor: string[];
}

/** Charger with its connectors by number, and the token that a session is requested with. */
export interface StartSite {
  charger: { id: number; uuid: string; uid: string; networkId: number };
  connectors: StartConnector[];
  /** Null: the charger's network has none. */
  token: LatestIdToken | null;
}

/** Token to look up: the one with a uid, else the app token of a driver. */
export type TokenChoice = { uid: string } | { userId: number };

interface SiteRow {
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  networkId: number;
  connectorId: number | null;
  connectorUuid: string;
  number: number;
  evse: number;
  connector: number;
  status: string;
  isBusy: boolean;
  reservedFor: string[];
  tokenId: number | null;
  uid: string;
  userId: LatestIdToken['userId'];
  type: LatestIdToken['type'];
  isValid: boolean;
  isDriverBlocked: boolean;
  expiresAt: Date | null;
  groupId: string | null;
  whitelist: LatestIdToken['whitelist'];
  isDeleted: boolean;
}

/**
 * Returns one charger in scope with its connectors and a token of its network, or null. `publicOnly`: public chargers of
 * published locations.
 */
export async function findStartSite(
  sql: Queryable,
  scope: NetworkScope,
  { chargerUuid, publicOnly, token }: { chargerUuid: string; publicOnly: boolean; token: TokenChoice },
): Promise<StartSite | null> {
  const network = sql`c.network_id`;
  const query =
    'uid' in token ? latestIdToken(sql, network, token.uid) : appToken(sql, network, token.userId);
  const rows = await sql<SiteRow[]>`
    select c.id as "chargerId", c.uuid as "chargerUuid", c.uid as "chargerUid", c.network_id as "networkId",
      k.id as "connectorId", k.uuid as "connectorUuid", k.number, k.evse_number as evse, k.evse_connector as connector,
      k.status, ${runsAt(sql, sql`k.charger_id`, sql`k.evse_number`)} as "isBusy",
      array(select unnest(array_remove(array[v.id_token, v.group_id_token], null)) from reservations v
        where v.charger_id = k.charger_id and v.status = 'Active' and v.expires_at > now()
          and coalesce(v.evse, k.evse_number) = k.evse_number) as "reservedFor",
      t.id as "tokenId", t.uid, t.user_id as "userId", t.type, t.is_valid as "isValid",
      t.is_driver_blocked as "isDriverBlocked", t.expires_at as "expiresAt",
      t.group_id as "groupId", t.whitelist, t.deleted_at is not null as "isDeleted"
    from chargers c
    left join locations l on l.id = c.location_id
    left join connectors k on k.charger_id = c.id and k.deleted_at is null
    left join lateral (${query}) t on true
    where c.uuid = ${chargerUuid} and c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
      ${publicOnly ? sql`and c.is_public and l.is_published` : sql``}
    order by k.number`;
  const [row] = rows;
  if (row === undefined) return null;
  const { chargerId, chargerUuid: uuid, chargerUid, networkId } = row;
  return {
    charger: { id: chargerId, uuid, uid: chargerUid, networkId },
    connectors: rows.flatMap(connectorOf),
    token: tokenOf(row),
  };
}

function connectorOf(row: SiteRow): StartConnector[] {
  const { connectorId: id, connectorUuid: uuid, number, evse, connector, status, isBusy, reservedFor } = row;
  return id === null ? [] : [{ id, uuid, number, evse, connector, status, isBusy, reservedFor }];
}

function tokenOf(row: SiteRow): LatestIdToken | null {
  const {
    tokenId: id,
    uid,
    userId,
    type,
    isValid,
    isDriverBlocked,
    expiresAt,
    groupId,
    whitelist,
    isDeleted,
  } = row;
  if (id === null) return null;
  return { id, uid, userId, type, isValid, isDriverBlocked, expiresAt, groupId, whitelist, isDeleted };
}

/** Facts that decide about a claimed start. */
interface StartObstacles extends MinimumBalance {
  /** A session with a token runs at the EVSE. */
  isBusy: boolean;
  /** Uuid of the session that the token charges now; null: none. */
  tokenSession: string | null;
  /** An earlier start of the driver left a hold. */
  hasEarlierHold: boolean;
}

/** Reads the facts that decide about a start. Call it after the claim, so that it sees what began before. */
export async function findStartObstacles(
  transaction: Transaction,
  start: { chargerId: number; evse: number; networkId: number; idToken: string; userId: number | null },
): Promise<StartObstacles> {
  const { chargerId, evse, networkId, idToken, userId } = start;
  const user = transaction`${userId}::integer`;
  const [row] = await transaction<StartObstacles[]>`
    select ${runsAt(transaction, transaction`${chargerId}::integer`, transaction`${evse}::integer`)} as "isBusy",
      (select s.uuid from sessions s
        where s.network_id = ${networkId} and lower(s.id_token) = lower(${idToken})
          and s.status in ('ACTIVE', 'STOPPING')
        order by s.started_at desc limit 1) as "tokenSession",
      ${hasUntakenHold(transaction, user)} as "hasEarlierHold", ${minimumBalance(transaction, user)}
    from networks net where net.id = ${networkId}`;
  if (row === undefined) throw new Error(`there is no network ${networkId}`);
  return row;
}
