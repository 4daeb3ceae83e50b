import { randomUUID } from 'node:crypto';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { seedCharger } from '#shared/testing/seed.ts';

/** A connector of a network. */
export interface TestConnector {
  networkId: number;
  currency: string;
  chargerId: number;
  connectorId: number;
}

/** The connectors of a new charger. */
export async function addConnectors(
  sql: Sql,
  network: { id: number; currency: string },
  count: number,
): Promise<TestConnector[]> {
  const charger = await seedCharger(sql, network.id, { connectors: count });
  const rows = await sql<{ id: number }[]>`
    select id from connectors where charger_id = ${charger.id} order by number`;
  return rows.map(({ id }) => ({
    networkId: network.id,
    currency: network.currency,
    chargerId: charger.id,
    connectorId: id,
  }));
}

/** Result of a session; cost in minor units, null: no tariff. */
export interface SessionEnd {
  endedAt: Date;
  energyWh: number;
  costMinor: number | null;
  idle?: { from: Date; to: Date }[];
}

/** A session that runs; answers its id. */
export async function addRunning(
  sql: Sql,
  { networkId, currency, chargerId, connectorId }: TestConnector,
  startedAt: Date,
  userId: number | null = null,
): Promise<string> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into sessions (network_id, charger_id, connector_id, user_id, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, currency)
    values (${networkId}, ${chargerId}, ${connectorId}, ${userId}, ${randomUUID()}, ${randomUUID()}, 'ACTIVE',
      'Accepted', ${startedAt}, ${startedAt}, ${currency})
    returning id`;
  return String(row?.id);
}

/** Ends a session, or puts its end right; a fifth of the cost is VAT. */
export async function endSession(sql: Sql, id: string, end: SessionEnd): Promise<void> {
  const { endedAt, energyWh, costMinor, idle = [] } = end;
  const vat = costMinor === null ? 0 : Math.floor(costMinor / 5);
  const cost =
    costMinor === null
      ? null
      : sql.json({
          currency: 'EUR',
          lines: [],
          totalExclVatMinor: String(costMinor - vat),
          totalVatMinor: String(vat),
          totalInclVatMinor: String(costMinor),
        });
  const periods = idle.map(({ from, to }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    cause: 'SuspendedEV',
  }));
  await sql`
    update sessions set status = 'COMPLETED', ended_at = ${endedAt}, energy_wh = ${energyWh},
      cost_minor = ${costMinor}, cost = ${cost}, idle_periods = ${sql.json(periods)}
    where id = ${id}`;
}
