import { DomainError } from '#shared/domain/kernel/errors.ts';
import { isTariffAssigned } from '#shared/postgres/money/tariff-assignments.statements.ts';
import {
  findTariff,
  insertTariff,
  type ListedTariff,
  listTariffs,
  listTariffVersions,
  removeTariff,
  type TariffFilter,
  type TariffRecord,
  type TariffTerms,
  type TariffVersionRecord,
  updateTariff,
} from '#shared/postgres/money/tariffs.statements.ts';
import type { Tariff, TariffType } from '#shared/pricing/tariff.ts';
import { type Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import {
  requireConsistent,
  type ShownPrices,
  storedElements,
  storedIdle,
  storedLimit,
} from './tariff-terms.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { ListedTariff, TariffRecord } from '#shared/postgres/money/tariffs.statements.ts';

/** Fields of a tariff, in OCPI's terms (Tariff, §11.3.1). Undefined: unchanged; null: removed. */
interface TariffChange extends Partial<ShownPrices> {
  name?: string | undefined;
  type?: TariffType | null | undefined;
  tariff_alt_text?: { language: string; text: string }[] | undefined;
  tariff_alt_url?: string | null | undefined;
  energy_mix?: Record<string, unknown> | null | undefined;
  start_date_time?: string | null | undefined;
  end_date_time?: string | null | undefined;
}

/** Required fields of a new tariff. */
export type NewTariff = TariffChange & Pick<ShownPrices, 'elements'> & { name: string };

/** Tariffs and their changes. */
export const tariffs = new AuditedRecords<TariffRecord>({
  category: 'tariff',
  notFound: 'TARIFF_NOT_FOUND',
  find: findTariff,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
});

/** One page of the tariffs of the caller's networks, oldest first. */
export async function listOwnTariffs(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, ...filter }: TariffFilter & { networkUuid?: string | undefined },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ListedTariff[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  const networks = await networksOfCall(deps, caller, networkUuid);
  return cutById(await listTariffs(deps.sql, networks, filter, after, limit + 1), limit);
}

/** @throws {DomainError} TARIFF_NOT_FOUND. */
export async function readTariff({ sql }: ServiceDeps, caller: Caller, uuid: string): Promise<TariffRecord> {
  return tariffs.require(sql, caller.networks, uuid);
}

/**
 * One page of what a tariff was before its changes, newest first.
 * @throws {DomainError} TARIFF_NOT_FOUND.
 */
export async function readTariffVersions(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: TariffVersionRecord[]; nextCursor: string | null }> {
  const { id } = await readTariff(deps, caller, uuid);
  const versions = await listTariffVersions(deps.sql, id, decodeIdCursor(cursor), limit + 1);
  // A version is what an id is elsewhere: the place in the list.
  return cutById(
    versions.map((version) => ({ ...version, id: version.version })),
    limit,
  );
}

/**
 * Makes a tariff in the currency of its network.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED.
 */
export async function createTariff(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  tariff: NewTariff,
): Promise<TariffRecord> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  const terms = merge({ ...nothing, name: tariff.name }, tariff);
  return tariffs.create(deps.sql, by, (transaction) => insertTariff(transaction, network.id, terms));
}

/**
 * Changes a tariff: from now on, a new version. What began before keeps the one of its time.
 * @throws {DomainError} TARIFF_NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export async function changeTariff(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: TariffChange,
): Promise<TariffRecord> {
  return tariffs.change(sql, by, uuid, expected, (transaction, before) =>
    updateTariff(transaction, before.id, merge(before, change)),
  );
}

/**
 * Removes a tariff that is assigned to nothing any more.
 * @throws {DomainError} TARIFF_NOT_FOUND, TARIFF_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteTariff(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await tariffs.remove(sql, by, uuid, expected, async (transaction, { id }) => {
    if (await isTariffAssigned(transaction, id)) {
      throw new DomainError('TARIFF_IN_USE', 'The tariff is still assigned: end its assignments first.');
    }
    await removeTariff(transaction, id);
  });
}

/** A tariff as a session that begins now would keep it. */
export function tariffDocument(record: TariffRecord): Tariff {
  const { uuid, name, currency, version, type, elements, idle, minPrice, maxPrice } = record;
  return {
    uuid,
    name,
    currency,
    version,
    elements,
    ...(type !== null && { type }),
    ...(idle !== null && { idle }),
    ...(minPrice !== null && { min_price: minPrice }),
    ...(maxPrice !== null && { max_price: maxPrice }),
    tariff_alt_text: record.altText,
    ...(record.altUrl !== null && { tariff_alt_url: record.altUrl }),
    ...(record.energyMix !== null && { energy_mix: record.energyMix }),
    ...(record.startsAt !== null && { start_date_time: record.startsAt.toISOString() }),
    ...(record.endsAt !== null && { end_date_time: record.endsAt.toISOString() }),
  };
}

/**
 * Returns the document of a tariff that is not stored.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function draftDocument(prices: ShownPrices, currency: string): Tariff {
  const { elements, idle, minPrice, maxPrice } = merge({ ...nothing, name: 'Draft' }, prices);
  return {
    uuid: '00000000-0000-0000-0000-000000000000',
    name: 'Draft',
    currency,
    elements,
    ...(idle !== null && { idle }),
    ...(minPrice !== null && { min_price: minPrice }),
    ...(maxPrice !== null && { max_price: maxPrice }),
  };
}

const nothing: Omit<TariffTerms, 'name'> = {
  type: null,
  elements: [],
  idle: null,
  minPrice: null,
  maxPrice: null,
  altText: [],
  altUrl: null,
  energyMix: null,
  startsAt: null,
  endsAt: null,
};

function merge(before: TariffTerms, change: TariffChange): TariffTerms {
  const { elements, idle, min_price, max_price } = change;
  const terms = {
    name: change.name ?? before.name,
    type: given(change.type, before.type),
    elements: elements === undefined ? before.elements : storedElements(elements),
    idle: replaced(idle, before.idle, storedIdle),
    minPrice: replaced(min_price, before.minPrice, (limit) => storedLimit('min_price', limit)),
    maxPrice: replaced(max_price, before.maxPrice, (limit) => storedLimit('max_price', limit)),
    altText: change.tariff_alt_text ?? before.altText,
    altUrl: given(change.tariff_alt_url, before.altUrl),
    energyMix: given(change.energy_mix, before.energyMix),
    startsAt: replaced(change.start_date_time, before.startsAt, (time) => new Date(time)),
    endsAt: replaced(change.end_date_time, before.endsAt, (time) => new Date(time)),
  };
  requireConsistent(terms);
  return terms;
}

function given<T>(value: T | undefined, before: T): T {
  return value === undefined ? before : value;
}

function replaced<Shown, Stored>(
  value: Shown | null | undefined,
  before: Stored | null,
  store: (value: Shown) => Stored,
): Stored | null {
  if (value === undefined) return before;
  return value === null ? null : store(value);
}
