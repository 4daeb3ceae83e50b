import { randomUUID } from 'node:crypto';
import type { Roaming } from '#shared/domain/roaming/roaming.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { completeSession } from '#shared/postgres/charging/session-writes/price.statements.ts';
import {
  insertSession,
  type StartedSession,
} from '#shared/postgres/charging/session-writes/start.statements.ts';
import { lockSession } from '#shared/postgres/charging/sessions.statements.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { plausibleMaximum, usageUntil } from '#shared/pricing/settle-session.ts';

/** A location of a network. */
export async function addLocation(
  sql: Sql,
  networkId: number,
  { isPublished = true, name = 'Harbour' }: { isPublished?: boolean; name?: string } = {},
): Promise<{ id: number; uuid: string }> {
  const [row] = await sql<{ id: number; uuid: string }[]>`
    insert into locations (network_id, name, address, city, country, latitude, longitude, is_published)
    values (${networkId}, ${name}, 'Quay 1', 'Rotterdam', 'NLD', 51.9, 4.5, ${isPublished})
    returning id, uuid`;
  if (row === undefined) throw new Error('no location');
  return row;
}

/** A driver of a network. */
export async function addUser(
  sql: Sql,
  networkId: number,
  email: string,
): Promise<{ id: number; uuid: string }> {
  const [row] = await sql<{ id: number; uuid: string }[]>`
    insert into users (network_id, email, name) values (${networkId}, ${email}, 'Driver') returning id, uuid`;
  if (row === undefined) throw new Error('no user');
  return row;
}

/** 0.40 per kWh and 1.50 per session, 21 % VAT, for all of a network. */
export async function addTariff(sql: Sql, networkId: number): Promise<void> {
  const elements = [
    {
      price_components: [
        { type: 'ENERGY', price: '0.40', vat: '21', step_size: 1 },
        { type: 'FLAT', price: '1.50', vat: '21', step_size: 1 },
      ],
    },
  ];
  await sql`
    with tariff as (
      insert into tariffs (network_id, name, currency, elements)
      values (${networkId}, 'Standard', 'EUR', ${sql.json(elements)}) returning id
    )
    insert into tariff_assignments (tariff_id, network_id) select id, ${networkId} from tariff`;
}

export interface SessionPlace {
  chargerUuid: string;
  connector?: number;
  userId?: number | null;
  startedAt?: Date;
  roaming?: Roaming;
}

/** Starts a session as the gateway does. */
export async function startSession(
  sql: Sql,
  place: SessionPlace,
): Promise<StartedSession & { chargerId: number }> {
  const {
    chargerUuid,
    connector = 1,
    userId = null,
    roaming = null,
    startedAt = new Date(Date.now() - 3_600_000),
  } = place;
  const [charger] = await sql<{ id: number; networkId: number }[]>`
    select id, network_id as "networkId" from chargers where uuid = ${chargerUuid}`;
  if (charger === undefined) throw new Error('no charger');
  const session = await insertSession(sql, {
    chargerId: charger.id,
    networkId: charger.networkId,
    start: {
      position: { evse: connector, connector: 1 },
      idToken: 'TAG-1',
      transactionId: null,
      startedAt,
      receivedAt: startedAt,
      meterStartWh: 1000,
      remoteStartId: null,
      flags: [],
    },
    startKey: randomUUID(),
    idTokenId: null,
    userId,
    authorizationStatus: 'Accepted',
    roaming,
  });
  return { ...session, chargerId: charger.id };
}

/**
 * Completed copies of a session at its connector: three start at the same time each, before those of lower numbers, and who started later ended
 * earlier. PostgreSQL knows what is in the table then.
 */
export async function copySession(sql: Sql, uuid: string, copies: number): Promise<void> {
  await sql`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, ended_at, currency)
    select network_id, charger_id, connector_id, 'copy-' || n, 'copy-' || n, 'COMPLETED', authorization_status,
      started_at - (n + 2) / 3 * interval '1 minute', started_at, started_at + n * interval '1 second', currency
    from sessions, generate_series(1, ${copies}) n where uuid = ${uuid}`;
  await sql`analyze sessions`;
}

/** Ends a session after an hour with `energyWh`, priced as the gateway does; `flags` are what it is judged by. */
export async function endSession(
  sql: Sql,
  session: StartedSession & { chargerId: number },
  energyWh: number,
  flags: string[] = [],
): Promise<void> {
  await sql.begin(async (transaction) => {
    const locked = await lockSession(transaction, session.chargerId, session.transactionId);
    if (locked === null) throw new Error('no session');
    const endedAt = new Date(locked.startedAt.getTime() + 3_600_000);
    const cost = locked.tariff && priceSession(locked.tariff, usageUntil({ ...locked, energyWh }, endedAt));
    const stop = {
      transactionId: session.transactionId,
      endedAt,
      receivedAt: endedAt,
      meterStopWh: 1000 + energyWh,
      reason: 'Local',
      idToken: null,
      flags: [],
    };
    const { plausibleCostMinor } = plausibleMaximum(locked, endedAt);
    await completeSession(transaction, locked, stop, {
      energyWh,
      cost,
      needsReadings: false,
      flags,
      plausibleCostMinor,
    });
  });
}
