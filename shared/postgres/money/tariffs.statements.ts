import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { IdlePrice, PriceLimit, Tariff, TariffElement, TariffType } from '#shared/pricing/tariff.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Fields of a tariff that an operator can change. */
export interface TariffTerms {
  name: string;
  type: TariffType | null;
  elements: TariffElement[];
  idle: IdlePrice | null;
  minPrice: PriceLimit | null;
  maxPrice: PriceLimit | null;
  altText: { language: string; text: string }[];
  altUrl: string | null;
  energyMix: Record<string, unknown> | null;
  startsAt: Date | null;
  endsAt: Date | null;
}

/** Tariff with all its fields. */
export interface TariffRecord extends TariffTerms {
  id: number;
  uuid: string;
  networkId: number;
  currency: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Present and future assignments of a tariff, counted by level. */
interface AssignmentCounts {
  network: number;
  location: number;
  charger: number;
  connector: number;
}

/** Tariff of a list. */
export interface ListedTariff extends TariffRecord {
  assignments: AssignmentCounts;
}

/** Filter of a list of tariffs. `name`: a part of it, in any case. `isAssigned`: now or later. */
export interface TariffFilter {
  name?: string | undefined;
  currency?: string | undefined;
  isAssigned?: boolean | undefined;
}

/** A tariff as it was before a change. */
export interface TariffVersionRecord {
  version: number;
  document: Tariff;
  validUntil: Date;
}

const columns = (sql: Queryable) => sql`
  id, uuid, network_id as "networkId", name, currency, type, elements, idle, min_price as "minPrice",
  max_price as "maxPrice", alt_text as "altText", alt_url as "altUrl", energy_mix as "energyMix",
  starts_at as "startsAt", ends_at as "endsAt", version, created_at as "createdAt", updated_at as "updatedAt"`;

/** Present and future assignments, of the tariff that a column names. */
const assignmentsOf = (sql: Queryable, tariffId: string) => sql`
  from tariff_assignments a
  where a.tariff_id = ${sql(tariffId)} and a.is_active and (a.valid_until is null or a.valid_until > now())`;

/** Returns the tariffs in scope after this id, oldest first, with the numbers of their assignments. */
export async function listTariffs(
  sql: Queryable,
  scope: NetworkScope,
  { name, currency, isAssigned }: TariffFilter,
  after: number | null,
  limit: number,
): Promise<ListedTariff[]> {
  return sql<ListedTariff[]>`
    with page as materialized (
      select ${columns(sql)} from tariffs
      where deleted_at is null and ${inScope(sql, 'network_id', scope)} and id > ${after ?? 0}
        ${name === undefined ? sql`` : sql`and position(lower(${name}) in lower(name)) > 0`}
        ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
        ${isAssigned === undefined ? sql`` : sql`and exists (select ${assignmentsOf(sql, 'tariffs.id')}) = ${isAssigned}`}
      order by id limit ${limit}
    )
    select page.*, counted.assignments from page, lateral (
      select jsonb_build_object('network', count(a.network_id), 'location', count(a.location_id),
        'charger', count(a.charger_id), 'connector', count(a.connector_id)) as assignments
      ${assignmentsOf(sql, 'page.id')}
    ) counted
    order by page.id`;
}

/** One tariff in scope, or null. `lock`: for a change in this transaction. */
export async function findTariff(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<TariffRecord | null> {
  const [row] = await sql<TariffRecord[]>`
    select ${columns(sql)} from tariffs
    where uuid = ${uuid} and deleted_at is null and ${inScope(sql, 'network_id', scope)}
    ${lock ? sql`for no key update` : sql``}`;
  return row ?? null;
}

/** Public data of the event of a tariff. */
const eventData = (sql: Queryable) => sql`
  jsonb_build_object('version', version, 'currency', currency, 'isRemoved', deleted_at is not null)`;

/** Stores a new tariff, in the currency of its network. */
export async function insertTariff(
  sql: Queryable,
  networkId: number,
  terms: TariffTerms,
): Promise<TariffRecord> {
  const currency = sql`(select currency from networks where id = ${networkId})`;
  const [row] = await sql<TariffRecord[]>`
    with inserted as (
      insert into tariffs ${sql({ network_id: networkId, currency, ...toColumns(sql, terms) } as never)} returning *
    ), event as (
      insert into outbox (network_id, type, subject_id, subject_uuid, data)
      select network_id, 'tariff.created', id, uuid, ${eventData(sql)} from inserted
    )
    select ${columns(sql)} from inserted`;
  if (row === undefined) throw new Error('the insert of a tariff returned no row');
  return row;
}

/** Replaces the terms of a locked tariff; those until now are kept as its version. */
export async function updateTariff(sql: Queryable, id: number, terms: TariffTerms): Promise<TariffRecord> {
  // Not the time at which the transaction began: versions end in the order in which they were changed.
  await sql`
    insert into tariff_versions (tariff_id, version, document, valid_until)
    select t.id, t.version, tariff_document(t), clock_timestamp() from tariffs t where t.id = ${id}`;
  const [row] = await sql<TariffRecord[]>`
    with before as materialized (
      select starts_at, ends_at from tariffs where id = ${id}
    ), updated as (
      update tariffs set ${sql(toColumns(sql, terms))}, version = version + 1, updated_at = now()
      where id = ${id} returning *
    ), event as (
      insert into outbox (network_id, type, subject_id, subject_uuid, data, internal)
      select u.network_id, 'tariff.updated', u.id, u.uuid, ${eventData(sql)}, jsonb_build_object('changed',
        case when (b.starts_at, b.ends_at) is distinct from (u.starts_at, u.ends_at)
          then '["starts_at", "ends_at"]'::jsonb else '[]' end)
      from updated u, before b
    )
    select ${columns(sql)} from updated`;
  if (row === undefined) throw new Error('the tariff that was locked is gone');
  return row;
}

/** Removes a tariff softly: earlier sessions keep it. */
export async function removeTariff(sql: Queryable, id: number): Promise<void> {
  await sql`
    with removed as (
      update tariffs set deleted_at = now(), version = version + 1, updated_at = now() where id = ${id} returning *
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, data)
    select network_id, 'tariff.updated', id, uuid, ${eventData(sql)} from removed`;
}

/** Returns the earlier versions of a tariff, before this version, newest first. */
export async function listTariffVersions(
  sql: Queryable,
  tariffId: number,
  before: number | null,
  limit: number,
): Promise<TariffVersionRecord[]> {
  return sql<TariffVersionRecord[]>`
    select version, document, valid_until as "validUntil" from tariff_versions
    where tariff_id = ${tariffId} and (${before}::integer is null or version < ${before})
    order by version desc limit ${limit}`;
}

function toColumns(sql: Queryable, terms: TariffTerms) {
  const json = (value: unknown) => (value === null ? null : sql.json(value as never));
  return {
    name: terms.name,
    type: terms.type,
    elements: json(terms.elements),
    idle: json(terms.idle),
    min_price: json(terms.minPrice),
    max_price: json(terms.maxPrice),
    alt_text: json(terms.altText),
    alt_url: terms.altUrl,
    energy_mix: json(terms.energyMix),
    starts_at: terms.startsAt,
    ends_at: terms.endsAt,
  };
}
