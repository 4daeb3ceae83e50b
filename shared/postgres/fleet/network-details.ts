import type { NewChargerRegistration } from '#shared/domain/fleet/registration.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { announceRules } from './charger-changes.ts';

/** Fields of a network that an operator can change. */
export interface NetworkDetails {
  name: string;
  /** IANA name: the days of analytics and reports. */
  timeZone: string;
  /** ISO 3166-1 alpha-2 and three characters: its identity toward roaming partners (OCPI). */
  countryCode: string;
  partyId: string;
  /** BCP 47: of receipts, invoices and e-mails. */
  language: string;
  allowsUnauthenticatedChargers: boolean;
  /** True: drivers log in only after they verified their e-mail address. */
  requiresVerifiedEmail: boolean;
  /** True: operators log in with a second factor. */
  requiresSecondFactor: boolean;
  newChargerRegistration: NewChargerRegistration;
  /** Requests of all callers of the network within a minute. Null: the installation's default. */
  rateLimitPerMinute: number | null;
  /** Days after which inactive drivers are deleted, where that is sooner than the installation does. Null: the installation's. */
  personalDataDays: number | null;
  /** Available balance that a driver needs to start a session, which is then held. Zero: none. */
  minimumBalanceMinor: bigint;
  legalName: string | null;
  vatNumber: string | null;
  /** Street lines of the seller's address. */
  postalAddress: string | null;
  postalCode: string | null;
  city: string | null;
  /** ISO 3166-1 alpha-2, of the seller's address. */
  country: string | null;
  /** Without spaces. */
  iban: string | null;
  bic: string | null;
  /** Account without an IBAN, as printed. */
  bankAccount: string | null;
  /** Days from the date of an invoice until it is due. */
  paymentTermDays: number;
  website: string | null;
  /** Address at which drivers start a session, with `{connectorId}`. */
  chargingUrl: string | null;
  supportEmail: string | null;
  supportPhone: string | null;
  logoUrl: string | null;
  primaryColor: string | null;
  secondaryColor: string | null;
}

/** Network with all its fields. */
export interface NetworkDetailRecord extends NetworkDetails {
  id: number;
  uuid: string;
  slug: string;
  /** ISO 4217; fixed when it is made, since money is kept in it. */
  currency: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  id, uuid, slug, name, currency, time_zone as "timeZone", country_code as "countryCode", party_id as "partyId", language,
  allow_unauthenticated_chargers as "allowsUnauthenticatedChargers", requires_verified_email as "requiresVerifiedEmail",
  requires_second_factor as "requiresSecondFactor",
  new_charger_registration as "newChargerRegistration", minimum_balance_minor as "minimumBalanceMinor",
  rate_limit_per_minute as "rateLimitPerMinute", personal_data_days as "personalDataDays", legal_name as "legalName", vat_number as "vatNumber",
  postal_address as "postalAddress", postal_code as "postalCode", city, country, iban, bic,
  bank_account as "bankAccount", payment_term_days as "paymentTermDays", website, charging_url as "chargingUrl", support_email as "supportEmail", support_phone as "supportPhone",
  logo_url as "logoUrl", primary_color as "primaryColor", secondary_color as "secondaryColor", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The networks in scope after this id, oldest first. */
export async function listNetworkDetails(
  sql: Queryable,
  scope: NetworkScope,
  after: number | null,
  limit: number,
): Promise<NetworkDetailRecord[]> {
  return sql<NetworkDetailRecord[]>`
    select ${columns(sql)} from networks
    where deleted_at is null and ${inScope(sql, 'id', scope)} and id > ${after ?? 0}
    order by id limit ${limit}`;
}

/** One network in scope, or null. `lock`: for a change in this transaction. */
export async function findNetworkDetails(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<NetworkDetailRecord | null> {
  const [row] = await sql<NetworkDetailRecord[]>`
    select ${columns(sql)} from networks
    where uuid = ${uuid} and deleted_at is null and ${inScope(sql, 'id', scope)}
    ${lock ? sql`for no key update` : sql``}`;
  return row ?? null;
}

/** Stores a new network. */
export async function insertNetwork(
  sql: Queryable,
  network: NetworkDetails & { slug: string; currency: string },
): Promise<NetworkDetailRecord> {
  const [row] = await sql<NetworkDetailRecord[]>`
    insert into networks ${sql({ slug: network.slug, currency: network.currency, ...toColumns(network) })}
    returning ${columns(sql)}`;
  if (row === undefined) throw new Error('the insert of a network returned no row');
  return row;
}

/** Replaces the details of a network in the caller's transaction, and announces the change to the gateways. */
export async function updateNetwork(
  sql: Queryable,
  id: number,
  details: NetworkDetails,
): Promise<NetworkDetailRecord> {
  const [row] = await sql<NetworkDetailRecord[]>`
    update networks set ${sql(toColumns(details))}, version = version + 1, updated_at = now()
    where id = ${id} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('the network that was locked is gone');
  await announceRules(sql);
  return row;
}

/** Removes a network softly. */
export async function removeNetwork(sql: Queryable, id: number): Promise<void> {
  await sql`update networks set deleted_at = now(), version = version + 1 where id = ${id}`;
}

/** Returns whether a network has chargers, drivers or running sessions. */
export async function isNetworkInUse(sql: Queryable, id: number): Promise<boolean> {
  const [row] = await sql<{ inUse: boolean }[]>`
    select exists (select 1 from chargers where network_id = ${id} and deleted_at is null)
      or exists (select 1 from users where network_id = ${id} and deleted_at is null) as "inUse"`;
  return row?.inUse ?? false;
}

function toColumns(details: NetworkDetails) {
  return {
    name: details.name,
    time_zone: details.timeZone,
    country_code: details.countryCode,
    party_id: details.partyId,
    language: details.language,
    allow_unauthenticated_chargers: details.allowsUnauthenticatedChargers,
    requires_verified_email: details.requiresVerifiedEmail,
    requires_second_factor: details.requiresSecondFactor,
    new_charger_registration: details.newChargerRegistration,
    minimum_balance_minor: details.minimumBalanceMinor,
    rate_limit_per_minute: details.rateLimitPerMinute,
    personal_data_days: details.personalDataDays,
    legal_name: details.legalName,
    vat_number: details.vatNumber,
    postal_address: details.postalAddress,
    postal_code: details.postalCode,
    city: details.city,
    country: details.country,
    iban: details.iban,
    bic: details.bic,
    bank_account: details.bankAccount,
    payment_term_days: details.paymentTermDays,
    website: details.website,
    charging_url: details.chargingUrl,
    support_email: details.supportEmail,
    support_phone: details.supportPhone,
    logo_url: details.logoUrl,
    primary_color: details.primaryColor,
    secondary_color: details.secondaryColor,
  };
}

/** Returns the network with this key, which an existing record refers to. */
export async function findNetworkById(sql: Queryable, id: number): Promise<NetworkDetailRecord> {
  const [row] = await sql<NetworkDetailRecord[]>`select ${columns(sql)} from networks where id = ${id}`;
  if (row === undefined) throw new Error(`there is no network ${id}`);
  return row;
}
