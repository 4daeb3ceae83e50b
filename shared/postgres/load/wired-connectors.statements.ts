import type { Connector } from '#shared/domain/load/site.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { rotationOf, type StoredRotation } from './load-sites.statements.ts';

/** Connector of a network, and the site that it belongs to. */
export interface WiredConnector {
  id: number;
  uuid: string;
  /** Null: none. */
  siteUuid: string | null;
  /** Number of its EVSE at the charger. */
  evse: number;
  /** Null: unknown. */
  powerType: string | null;
  chargerId: number;
  vendor: string | null;
  vendorModel: string | null;
}

/** Returns the connectors of a network by uuid, locked until the end of the transaction so that no other site takes them. */
export function lockConnectors(
  transaction: Transaction,
  networkId: number,
  uuids: readonly string[],
): Promise<WiredConnector[]> {
  return transaction<WiredConnector[]>`
    select k.id, k.uuid, (select s.uuid from load_connectors p join load_sites s on s.id = p.site_id
      where p.connector_id = k.id) as "siteUuid", k.evse_number as evse, k.power_type as "powerType", k.charger_id as "chargerId", c.vendor, c.vendor_model as "vendorModel"
    from connectors k join chargers c on c.id = k.charger_id
    where k.uuid = any(${uuids as string[]}::uuid[]) and c.network_id = ${networkId} and k.deleted_at is null
      and c.deleted_at is null
    order by k.id for key share of k`;
}

/** Returns the enabled site that limits a connector of this charger by charging profiles, or null. */
export async function findManagingSite(
  sql: Queryable,
  chargerId: number,
): Promise<{ uuid: string; name: string } | null> {
  const [row] = await sql<{ uuid: string; name: string }[]>`
    select s.uuid, s.name from connectors k join load_connectors p on p.connector_id = k.id and p.control = 'profiles'
    join load_sites s on s.id = p.site_id and s.is_enabled
    where k.charger_id = ${chargerId} and k.deleted_at is null limit 1`;
  return row ?? null;
}

/** Wiring of a connector at an enabled site. */
export interface ConnectorWiring extends Pick<Connector, 'rotation' | 'connection' | 'voltage'> {
  siteUuid: string;
}

/** Returns the wiring of a connector; null if no enabled site has it. */
export async function findWiring(sql: Queryable, connectorUuid: string): Promise<ConnectorWiring | null> {
  const [row] = await sql<(Omit<ConnectorWiring, 'rotation'> & StoredRotation)[]>`
    select s.uuid as "siteUuid", p.rotation, p.connection, p.voltage
    from connectors k join load_connectors p on p.connector_id = k.id join load_sites s on s.id = p.site_id and s.is_enabled
    where k.uuid = ${connectorUuid}`;
  return row === undefined ? null : { ...row, rotation: rotationOf(row.rotation) };
}
