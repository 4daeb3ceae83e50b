import type { AuthMethod, CdrToken } from '#shared/domain/roaming/roaming.ts';
import type { Capability } from '#shared/domain/fleet/ocpi-evse.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import type { ChangedSlice } from './ocpi-tokens.statements.ts';
import { ofClient, type Requester } from './requester.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';
import {
  sessionColumns,
  type SessionRecord,
  sessionTables,
} from '#shared/postgres/charging/session-records.ts';

/** A session with its view for the roaming partner. */
export interface PartnerSession extends SessionRecord {
  partnerId: number;
  token: CdrToken;
  authMethod: AuthMethod;
  authorizationReference: string | null;
  meterId: string | null;
  /** Time of the partner's last change, by its own clock. */
  patchedAt: Date | null;
  /** Our party, as the partner knows the network. */
  countryCode: string;
  partyId: string;
  place: SessionPlace;
  /** Lowest of the connector's power, its voltage times amperage and phases, and the power of its charger or model. Null: unknown. */
  ratedPowerW: number | null;
}

/** Position of a session in OCPI. The location's fields are null where the charger has no location. */
export interface SessionPlace {
  locationId: string | null;
  name: string | null;
  address: string | null;
  city: string | null;
  postalCode: string | null;
  state: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  /** `#NA`, as the connector's: a reservation of any connector that was not used. */
  evseUid: string;
  evseId: string | null;
  connectorId: string;
  standard: string | null;
  format: string | null;
  powerType: string | null;
  maxVoltage: number | null;
  maxAmperage: number | null;
  /** Null: not set. */
  capabilities: Capability[] | null;
}

const columns = (sql: Queryable) => sql`
  ${sessionColumns(sql)}, s.ocpi_partner_id as "partnerId", s.ocpi_token as token, s.auth_method as "authMethod",
  s.authorization_reference as "authorizationReference", s.meter_id as "meterId", s.ocpi_patched_at as "patchedAt",
  n.country_code as "countryCode", n.party_id as "partyId",
  (select least(k.max_power_w, coalesce(c.max_power_w, m.max_power_w), k.max_voltage * k.max_amperage
      -- OCPI states the voltage of three phases as line to neutral (2.2.1 §8.3.3). That of two phases is not stated: the higher power counts.
      * case when k.power_type = 'AC_3_PHASE' then 3 when k.power_type like 'AC_2_PHASE%' then 2
        when k.power_type is not null then 1 end)
    from chargers x left join charger_models m on m.id = x.model_id where x.id = c.id) as "ratedPowerW",
  jsonb_build_object('locationId', l.ocpi_id, 'name', l.name, 'address', l.address, 'city', l.city,
    'postalCode', l.postal_code, 'state', l.state, 'country', l.country, 'latitude', l.latitude,
    'longitude', l.longitude, 'evseUid', case when unnamed.is_any then '#NA' else e.uid end, 'evseId', case when not unnamed.is_any then e.evse_id end,
    'connectorId', case when unnamed.is_any then '#NA' else k.ocpi_id end,
    'standard', k.standard, 'format', k.format, 'powerType', k.power_type,
    'maxVoltage', k.max_voltage, 'maxAmperage', k.max_amperage, 'capabilities', e.capabilities) as place`;

const tables = (sql: Queryable, found?: Fragment) => sql`
  ${sessionTables(sql, found)} join evses e on e.charger_id = k.charger_id and e.number = k.evse_number
  -- A reservation of any connector has none before it is used (§9.3.1, §10.4.4).
  cross join lateral (select s.reserved_at is not null and s.reservation_end is distinct from 'USED' and exists (
    select from reservations v where v.billed_session_id = s.id and v.evse is null) as is_any) unnamed`;

/** A slice of a partner's sessions, oldest first, and how many there are in all. They are found before they are joined (ADR 26). */
export async function listPartnerSessions(
  sql: Queryable,
  requester: Requester,
  { offset, limit, from, to }: ChangedSlice,
): Promise<{ rows: PartnerSession[]; total: number }> {
  const where = sql`
    s.ocpi_partner_id = ${requester.id} ${ofClient(sql, requester, sql`s.ocpi_token`)} ${from === null ? sql`` : sql`and s.updated_at >= ${from}`}
    ${to === null ? sql`` : sql`and s.updated_at < ${to}`}`;
  const page = { limit, offset };
  const found = lateJoinPage(
    sql,
    's',
    sql`select * from sessions s where ${where}`,
    sql`order by s.id`,
    page,
  );
  const [rows, [count]] = await Promise.all([
    sql<PartnerSession[]>`select ${columns(sql)} from ${tables(sql, found)} order by s.id`,
    sql<{ total: number }[]>`select count(*)::integer as total from sessions s where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** One of a partner's sessions, or null. */
export async function findPartnerSession(
  sql: Queryable,
  requester: Requester,
  uuid: string,
): Promise<PartnerSession | null> {
  const [row] = await sql<PartnerSession[]>`
    select ${columns(sql)} from ${tables(sql)}
    where s.uuid = ${uuid} and s.ocpi_partner_id = ${requester.id} ${ofClient(sql, requester, sql`s.ocpi_token`)}`;
  return row ?? null;
}

/** The sessions with these ids that are partners'. */
export async function readPartnerSessions(sql: Queryable, ids: readonly bigint[]): Promise<PartnerSession[]> {
  return sql<PartnerSession[]>`
    select ${columns(sql)} from ${tables(sql)}
    where s.id = any(${ids.map(String)}::bigint[]) and s.ocpi_partner_id is not null order by s.id`;
}

/** Returns the OCPI identifiers of a charger's location (null: none) and of its EVSEs. */
export async function findChargerPlace(
  sql: Queryable,
  chargerId: number,
): Promise<{ locationId: string | null; evses: { uid: string; number: number }[] } | null> {
  const [row] = await sql<{ locationId: string | null; evses: { uid: string; number: number }[] }[]>`
    select l.ocpi_id as "locationId", coalesce(
      (select jsonb_agg(jsonb_build_object('uid', e.uid, 'number', e.number) order by e.number) from evses e
        where e.charger_id = c.id and e.removed_at is null), '[]') as evses
    from chargers c left join locations l on l.id = c.location_id where c.id = ${chargerId}`;
  return row ?? null;
}
