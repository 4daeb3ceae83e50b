import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { SignatureState } from '#shared/domain/charging/signed-meter-value.ts';
import type { SessionStatus } from '#shared/domain/charging/session.ts';
import type { Price } from '#shared/pricing/price-state.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { StoredCost } from '#shared/postgres/money/cost.statements.ts';
import { visibleSessions } from './session-records.ts';

/** Session with the fields of a receipt or an invoice. */
export interface BillableSession extends Price {
  id: bigint;
  uuid: string;
  /** Counts the ends that it had. */
  version: number;
  networkId: number;
  status: SessionStatus;
  userId: number | null;
  userName: string | null;
  userEmail: string | null;
  idToken: string | null;
  chargerUid: string;
  connectorNumber: number;
  connectorStandard: string | null;
  locationName: string | null;
  street: string | null;
  postalCode: string | null;
  city: string | null;
  /** ISO 3166-1 alpha-3. */
  country: string | null;
  /** IANA name: of the location, else of the network. */
  timeZone: string;
  /** BCP 47: of the driver, else of the network. */
  language: string;
  startedAt: Date;
  endedAt: Date | null;
  energyWh: number;
  currency: string;
  hasTariff: boolean;
  cost: StoredCost | null;
  flags: string[];
  signatureState: SignatureState;
  invoiceNumber: string | null;
  updatedAt: Date;
}

const selectBillable = (sql: Queryable) => sql`
  select s.id, s.uuid, s.version, s.network_id as "networkId", s.status, s.user_id as "userId",
    u.name as "userName", u.email as "userEmail", s.id_token as "idToken",
    c.uid as "chargerUid", k.number as "connectorNumber", k.standard as "connectorStandard",
    l.name as "locationName", l.address as street, l.postal_code as "postalCode", l.city, l.country,
    coalesce(l.time_zone, n.time_zone) as "timeZone", coalesce(u.language, n.language) as language,
    s.started_at as "startedAt", s.ended_at as "endedAt",
    s.energy_wh as "energyWh", s.currency, s.tariff is not null as "hasTariff", s.cost, s.price_state as "priceState",
    s.price_readings as "priceReadings", s.price_decision as "priceDecision", s.flags,
    s.signature_state as "signatureState", s.invoice_number as "invoiceNumber", s.updated_at as "updatedAt"
  from sessions s
  join networks n on n.id = s.network_id
  join chargers c on c.id = s.charger_id
  join connectors k on k.id = s.connector_id
  left join locations l on l.id = c.location_id
  left join users u on u.id = s.user_id`;

/** One session in scope, or null. */
export async function findBillableSession(
  sql: Queryable,
  scope: SessionScope,
  uuid: string,
): Promise<BillableSession | null> {
  const [row] = await sql<BillableSession[]>`
    ${selectBillable(sql)} where s.uuid = ${uuid} and ${visibleSessions(sql, scope)}`;
  return row ?? null;
}

/** Those of these sessions that are in scope, as they are until the transaction ends, by when they began. */
export async function lockBillableSessions(
  transaction: Transaction,
  scope: SessionScope,
  uuids: readonly string[],
): Promise<BillableSession[]> {
  // Locked in one order, whatever the order in which two callers name them.
  await transaction`
    select s.id from sessions s
    where s.uuid = any(${[...uuids]}::uuid[]) and ${visibleSessions(transaction, scope)}
    order by s.id for no key update`;
  // Read after the lock, it includes the changes of its previous holder.
  return transaction<BillableSession[]>`
    ${selectBillable(transaction)}
    where s.uuid = any(${[...uuids]}::uuid[]) and ${visibleSessions(transaction, scope)}
    order by s.started_at, s.id`;
}
