import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  type ConnectorInUse,
  connectorsFrom,
  connectorsOf,
  type StoredConnector,
} from '#shared/postgres/fleet/connectors.statements.ts';

/** Returns the connectors of chargers, by charger and number. */
export async function listConnectors(sql: Sql, chargerIds: number[]): Promise<ConnectorInUse[]> {
  const rows = await sql<{ connectors: StoredConnector[] }[]>`
    select ${connectorsOf(sql, sql`c.id`)} as connectors from chargers c where c.id = any(${chargerIds}) order by c.id`;
  return rows.flatMap(({ connectors }) => connectorsFrom(connectors));
}
