import {
  type CredentialsRole,
  type HubParties,
  type OcpiEndpoint,
  type OcpiVersion,
  type Party,
  type PartnerQuirks,
  type PartnerWriteScope,
  standardQuirks,
} from '#shared/domain/roaming/ocpi.ts';
import type { RegistrationState } from '#shared/domain/roaming/registration.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { deleteHandshake, isOurTokenValid } from './ocpi-handshakes.ts';
import { removeHubClients } from './ocpi-hub-clients.statements.ts';
import { grantParties, withdrawParties } from './ocpi-partner-parties.ts';
import { endLostRights } from './ocpi-partner-rights.ts';
import { forgetPushes } from './ocpi-pushes.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

const partnerStatuses = ['PENDING', 'REGISTERED', 'SUSPENDED'] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** A roaming partner of a network. */
export interface PartnerRecord {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  name: string;
  status: PartnerStatus;
  registration: RegistrationState;
  countryCode: string | null;
  partyId: string | null;
  /** Parties that the operator granted; the roles are only of these. */
  parties: Party[];
  roles: CredentialsRole[];
  ocpiVersion: OcpiVersion | null;
  versionsUrl: string | null;
  /** Hash of the token that it sends. Null: none. */
  tokenHash: Buffer | null;
  /** The token that we show it. */
  theirToken: string | null;
  writeScopes: PartnerWriteScope[];
  quirks: PartnerQuirks;
  /** Parties for which it speaks as a hub. Null: it is no hub. */
  hubParties: HubParties | null;
  /** True when the operator marked it as a national access point. */
  isNationalAccessPoint: boolean;
  /** True for a former hub: objects of parties that it spoke for are not its own. */
  isFormerHub: boolean;
  /** Requests within an hour; null: any number. */
  rateLimitPerHour: number | null;
  /** Position among the partners that authorize unknown cards; null: it is not asked. */
  authorizationOrder: number | null;
  /** Validity of a token that we give it, in days; null: without end. */
  tokenValidDays: number | null;
  /** End of its token; null: none. */
  tokenExpiresAt: Date | null;
  registeredAt: Date | null;
  /** Time of its first registration. Null: never registered, or registered by a process of a version without this column. */
  firstRegisteredAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Columns of a `PartnerRecord`, of a partner `p` of a network `n`. */
export const partnerColumns = (sql: Queryable) => sql`
  p.id, p.uuid, p.network_id as "networkId", n.uuid as "networkUuid", p.name, p.status,
  coalesce((select h.state from ocpi_handshakes h where h.partner_id = p.id), case when p.their_token is not null then 'REGISTERED'
    when p.token_hash is not null then 'INVITED' else 'NONE' end) as registration, p.country_code as "countryCode",
  p.party_id as "partyId", p.roles,
  (select coalesce(jsonb_agg(jsonb_build_object('countryCode', g.country_code, 'partyId', g.party_id)
    order by g.country_code, g.party_id), '[]') from ocpi_partner_parties g where g.partner_id = p.id) as parties,
  p.ocpi_version as "ocpiVersion", p.versions_url as "versionsUrl",
  p.token_hash as "tokenHash", p.their_token as "theirToken", p.write_scopes as "writeScopes",
  ${sql.json(standardQuirks as never)}::jsonb || p.quirks as quirks, p.rate_limit_per_hour as "rateLimitPerHour",
  p.authorization_order as "authorizationOrder", p.hub_parties as "hubParties",
  p.is_national_access_point as "isNationalAccessPoint", p.was_hub and p.hub_parties is null as "isFormerHub", p.token_valid_days as "tokenValidDays",
  p.token_expires_at as "tokenExpiresAt",
  p.registered_at as "registeredAt", p.first_registered_at as "firstRegisteredAt", p.version,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`;

/**
 * The partner that shows a token with one of these hashes, with that hash as its `tokenHash`; null without such a partner, or if it has
 * expired. The token of a handshake that we began is valid as well, for the same number of days.
 */
export async function findPartnerByToken(sql: Queryable, hashes: Buffer[]): Promise<PartnerRecord | null> {
  const found = await Promise.all(hashes.map((hash) => partnerByHash(sql, hash.toString('hex'))));
  return found.find((partner) => partner !== undefined) ?? null;
}

/** Every request of a partner needs it: concurrent reads share a statement. In hex: the driver has no arrays of bytes. */
const partnerByHash = batchLoader({
  ...batchOptions,
  async read(sql: Queryable, hashes: string[]) {
    const rows = await sql<(PartnerRecord & { hash: string })[]>`
      -- As in findApiKey: one plan for arrays of any length.
      with shown as materialized (select array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash) as hashes)
      select encode(k.hash, 'hex') as hash, ${partnerColumns(sql)}
      from (
        select id, token_hash as hash from ocpi_partners
        where token_hash = any((select hashes from shown)::bytea[]) and coalesce(token_expires_at > now(), true)
        union all
        select h.partner_id, h.our_token_hash from ocpi_handshakes h join ocpi_partners o on o.id = h.partner_id
        where h.our_token_hash = any((select hashes from shown)::bytea[]) and ${isOurTokenValid(sql)}
      ) k
      join ocpi_partners p on p.id = k.id join networks n on n.id = p.network_id
      where p.deleted_at is null and n.deleted_at is null`;
    return new Map(
      rows.map(({ hash, ...partner }): [string, PartnerRecord] => [
        hash,
        { ...partner, tokenHash: Buffer.from(hash, 'hex') },
      ]),
    );
  },
});

/** The partners in scope after this id, oldest first. */
export async function listPartners(
  sql: Queryable,
  scope: NetworkScope,
  filter: { status?: PartnerStatus | undefined },
  after: number | null,
  limit: number,
): Promise<PartnerRecord[]> {
  return sql<PartnerRecord[]>`
    select ${partnerColumns(sql)} from ocpi_partners p join networks n on n.id = p.network_id
    where p.deleted_at is null and ${inScope(sql, 'p.network_id', scope)} and p.id > ${after ?? 0}
      ${filter.status === undefined ? sql`` : sql`and p.status = ${filter.status}`}
    order by p.id limit ${limit}`;
}

/** One partner in scope, or null. `lock`: for a change in this transaction. */
export async function findPartner(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<PartnerRecord | null> {
  if (lock) {
    // First by itself: a statement that waits for a lock has other tables, such as handshakes, as they were before it waited.
    await sql`
      select from ocpi_partners p where p.uuid = ${uuid} and ${inScope(sql, 'p.network_id', scope)} for no key update`;
  }
  const [row] = await sql<PartnerRecord[]>`
    select ${partnerColumns(sql)} from ocpi_partners p join networks n on n.id = p.network_id
    where p.uuid = ${uuid} and p.deleted_at is null and ${inScope(sql, 'p.network_id', scope)}`;
  return row ?? null;
}

/** Partner as the exchange log names it. */
export interface PartnerName {
  id: number;
  uuid: string;
  name: string;
}

/** Returns the partners in scope by name, or one of them. */
export async function listPartnerNames(
  sql: Queryable,
  scope: NetworkScope,
  uuid?: string,
): Promise<PartnerName[]> {
  return sql<PartnerName[]>`
    select p.id, p.uuid, p.name from ocpi_partners p
    where p.deleted_at is null and ${inScope(sql, 'p.network_id', scope)}
      ${uuid === undefined ? sql`` : sql`and p.uuid = ${uuid}`}`;
}

/** One partner by its internal id; null when it was removed. */
export async function findPartnerById(sql: Queryable, id: number): Promise<PartnerRecord | null> {
  const [row] = await sql<PartnerRecord[]>`
    select ${partnerColumns(sql)} from ocpi_partners p join networks n on n.id = p.network_id
    where p.id = ${id} and p.deleted_at is null`;
  return row ?? null;
}

/** Fields of a new partner that an operator sets. */
interface NewPartner {
  networkId: number;
  name: string;
  parties: readonly Party[];
  writeScopes: PartnerWriteScope[];
  quirks: Partial<PartnerQuirks>;
  rateLimitPerHour: number | null;
  /** Null, the default: it is no hub. */
  hubParties?: HubParties | null;
  /** False is the default. */
  isNationalAccessPoint?: boolean;
  /** Null, the default: tokens are valid without end. */
  tokenValidDays?: number | null;
  /** Hash of the token that it registers with. Null: we register with it. */
  tokenHash: Buffer | null;
}

/** Writes the event of the partner of a common table expression `p`. */
const partnerEvent = (sql: Queryable, type: 'partner.created' | 'partner.updated' | 'partner.removed') => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, data)
  select p.network_id, ${type}, p.id, p.uuid,
    jsonb_build_object('status', p.status, 'ocpiVersion', p.ocpi_version, 'version', p.version)
  from p`;

/** Returns the end of a token that is valid from now on. */
const endOfToken = (sql: Queryable, days: number | null) =>
  sql`now() + make_interval(days => ${days}::integer)`;

/** Stores a new partner with its parties, known by the first of them; returns its uuid. */
export async function insertPartner(sql: Transaction, partner: NewPartner): Promise<string> {
  const [known] = partner.parties;
  const [row] = await sql<{ id: number; uuid: string }[]>`
    with p as (
    insert into ocpi_partners (network_id, name, country_code, party_id, write_scopes, quirks,
      rate_limit_per_hour, hub_parties, was_hub, is_national_access_point, token_hash, token_valid_days, token_expires_at)
    values (${partner.networkId}, ${partner.name}, upper(${known?.countryCode ?? null}), upper(${known?.partyId ?? null}),
      ${partner.writeScopes}, ${sql.json(partner.quirks)}, ${partner.rateLimitPerHour}, ${partner.hubParties ?? null},
      ${(partner.hubParties ?? null) !== null}, ${partner.isNationalAccessPoint ?? false}, ${partner.tokenHash}, ${partner.tokenValidDays ?? null},
      ${endOfToken(sql, partner.tokenValidDays ?? null)})
    returning *
    ), event as (${partnerEvent(sql, 'partner.created')})
    select id, uuid from p`;
  if (row === undefined) throw new Error('the insert of a partner returned no row');
  await grantParties(sql, row.id, partner.parties);
  return row.uuid;
}

/** Replaces what an operator decides of a partner. Another validity of its token counts from now on. */
export async function updatePartner(
  sql: Queryable,
  id: number,
  partner: Pick<
    PartnerRecord,
    | 'name'
    | 'status'
    | 'writeScopes'
    | 'quirks'
    | 'rateLimitPerHour'
    | 'authorizationOrder'
    | 'hubParties'
    | 'isNationalAccessPoint'
    | 'tokenValidDays'
  >,
): Promise<void> {
  await sql`
    with p as (
    update ocpi_partners set name = ${partner.name}, status = ${partner.status}, write_scopes = ${partner.writeScopes},
      quirks = ${sql.json({ ...partner.quirks })}, rate_limit_per_hour = ${partner.rateLimitPerHour},
      authorization_order = ${partner.authorizationOrder}, hub_parties = ${partner.hubParties},
      was_hub = was_hub or ${partner.hubParties !== null},
      is_national_access_point = ${partner.isNationalAccessPoint}, token_valid_days = ${partner.tokenValidDays},
      token_expires_at = case when token_hash is null then null
        when token_valid_days is not distinct from ${partner.tokenValidDays} then token_expires_at
        else ${endOfToken(sql, partner.tokenValidDays)} end,
      version = version + 1, updated_at = now()
    where id = ${id} returning *
    )
    ${partnerEvent(sql, 'partner.updated')}`;
}

/** Assignments of a partner whose token is replaced by another one, or by none. */
const withFreshToken = (sql: Queryable, hasToken: boolean) => sql`
  token_expires_at = ${hasToken ? sql`now() + make_interval(days => token_valid_days)` : sql`null`},
  token_renewal_at = null, token_renewal_error = null`;

/**
 * Gives a partner a new token to register with; what it had before is worth nothing any more, and its reservations are removed. A
 * suspension stays.
 */
export async function resetPartner(sql: Transaction, id: number, tokenHash: Buffer | null): Promise<void> {
  // As storeRegistration, which locks the partner before its records.
  await sql`select from ocpi_partners where id = ${id} for no key update`;
  await sql`delete from ocpi_partner_endpoints where partner_id = ${id}`;
  await deleteHandshake(sql, id);
  await forgetPushes(sql, id);
  await removeHubClients(sql, id);
  await sql`
    with p as (
    update ocpi_partners set status = case status when 'SUSPENDED' then status else 'PENDING' end, token_hash = ${tokenHash}, their_token = null, versions_url = null,
      ocpi_version = null, registered_at = null, ${withFreshToken(sql, tokenHash !== null)}, version = version + 1, updated_at = now()
    where id = ${id} returning *
    )
    ${partnerEvent(sql, 'partner.updated')}`;
  await endLostRights(sql, id);
}

/** Removes a partner softly; its tokens are forgotten. */
export async function removePartner(sql: Transaction, id: number): Promise<void> {
  await resetPartner(sql, id, null);
  await withdrawParties(sql, id);
  await sql`
    with p as (update ocpi_partners set deleted_at = now() where id = ${id} returning *)
    ${partnerEvent(sql, 'partner.removed')}`;
}

/** Result of a handshake. */
export interface Registration {
  tokenHash: Buffer;
  theirToken: string;
  versionsUrl: string;
  ocpiVersion: OcpiVersion;
  roles: CredentialsRole[];
  endpoints: OcpiEndpoint[];
}

/**
 * Stores a handshake: from its commit on only the new token is valid. A suspension stays.
 * @param shownHash of the token that the handshake was made with: the partner's token with us, or ours that we sent.
 * @returns false, and nothing is stored, when that token is not good any more: another handshake was faster.
 */
export async function storeRegistration(
  sql: Transaction,
  id: number,
  shownHash: Buffer,
  agreed: Registration,
): Promise<boolean> {
  // By itself: a statement that waits for the row would read handshakes as they were before.
  const [row] = await sql<{ isHub: boolean }[]>`
    select hub_parties is not null as "isHub" from ocpi_partners where id = ${id} for no key update`;
  const party = knownParty(agreed.roles, row?.isHub === true);
  const { count } = await sql`
    with p as (
    update ocpi_partners set status = case status when 'SUSPENDED' then status else 'REGISTERED' end, token_hash = ${agreed.tokenHash}, their_token = ${agreed.theirToken},
      versions_url = ${agreed.versionsUrl}, ocpi_version = ${agreed.ocpiVersion},
      roles = ${sql.json(agreed.roles as never)}, country_code = ${party?.countryCode ?? null},
      party_id = ${party?.partyId ?? null}, registered_at = now(),
      first_registered_at = coalesce(first_registered_at, now()), ${withFreshToken(sql, true)},
      changes_since = case when status = 'PENDING' then now() else changes_since end, version = version + 1, updated_at = now()
    where id = ${id} and deleted_at is null and (token_hash = ${shownHash} or exists (
      select from ocpi_handshakes h where h.partner_id = ${id} and h.our_token_hash = ${shownHash}
        and ${isOurTokenValid(sql)})) returning *
    )
    ${partnerEvent(sql, 'partner.updated')}`;
  if (count === 0) return false;
  await deleteHandshake(sql, id);
  await sql`delete from ocpi_partner_endpoints where partner_id = ${id}`;
  await sql`
    insert into ocpi_partner_endpoints (partner_id, identifier, role, url)
    select ${id}, e.identifier, e.role, e.url
    from jsonb_to_recordset(${sql.json(agreed.endpoints as never)}) as e(identifier text, role text, url text)
    on conflict do nothing`;
  return true;
}

/**
 * Returns the party that a partner is known by. A platform may be a CPO too: our partner is who sends us drivers. A hub is known by
 * its own party, never by one behind it.
 */
function knownParty(roles: readonly CredentialsRole[], isHub: boolean): Party | undefined {
  if (isHub) return roles.find(({ role }) => role === 'HUB');
  return roles.find(({ role }) => role === 'EMSP') ?? roles[0];
}

/** Returns the endpoints of a partner's modules. */
export async function listPartnerEndpoints(sql: Queryable, partnerId: number): Promise<OcpiEndpoint[]> {
  return sql<OcpiEndpoint[]>`
    select identifier, role, url from ocpi_partner_endpoints where partner_id = ${partnerId}
    order by identifier, role`;
}
