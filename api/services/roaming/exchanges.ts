import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { cutPage, decodeCursor } from '#api/services/kernel/cursors.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import {
  type CallHealth,
  findExchange,
  type LogFilter,
  type LoggedExchange,
  readCallHealth,
  readExchangeLog,
  type WholeExchange,
} from '#shared/clickhouse/ocpi-exchange-log.queries.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type PushedObject, pushedObjects } from '#shared/domain/roaming/ocpi-push.ts';
import { queueAgain } from '#shared/postgres/roaming/ocpi-changes.ts';
import { listPartnerNames, type PartnerName } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import {
  findPushedName,
  listRefusedObjects,
  type RefusedObject,
} from '#shared/postgres/roaming/ocpi-pushes.ts';
import type { RoamingDeps } from './deps.ts';
import { partners } from './partner-audit.ts';

export type { CallHealth } from '#shared/clickhouse/ocpi-exchange-log.queries.ts';

/** Exchange with the partner that it was with. */
export type WithPartner<Exchange extends LoggedExchange = LoggedExchange> = Exchange & {
  partner: PartnerName;
};

/** Query of the exchange log. */
type ExchangeQuery = Omit<LogFilter, 'partnerIds' | 'before'> & {
  networkUuid: string | undefined;
  partnerUuid: string | undefined;
  cursor: string | undefined;
  limit: number;
};

/**
 * Returns one page of the exchanges with the partners of the caller's networks, newest first.
 * @throws {DomainError} NETWORK_NOT_FOUND, PARTNER_NOT_FOUND, VALIDATION_FAILED, STORE_UNAVAILABLE.
 */
export async function listExchanges(
  deps: RoamingDeps,
  caller: Caller,
  { networkUuid, partnerUuid, cursor, limit, ...filter }: ExchangeQuery,
): Promise<{ rows: WithPartner[]; nextCursor: string | null }> {
  const position = cursor === undefined ? undefined : decodeCursor(cursor);
  const scope = await networksOfCall(deps, caller, networkUuid);
  const names = await listPartnerNames(deps.sql, scope, partnerUuid);
  if (partnerUuid !== undefined && names.length === 0) throw partners.notFound(partnerUuid);
  const byId = new Map(names.map((partner) => [partner.id, partner]));
  if (byId.size === 0) return { rows: [], nextCursor: null };
  const before = position && { time: position.time, digest: position.tie };
  const query = { ...filter, partnerIds: [...byId.keys()], before };
  const rows = await fromClickHouse(readExchangeLog(deps.clickhouse, query, limit + 1));
  const page = cutPage(rows, limit, ({ time, digest }) => ({ time, tie: digest }));
  return { ...page, rows: page.rows.flatMap((row) => withPartner(row, byId.get(row.partnerId))) };
}

/**
 * Returns one exchange with its bodies.
 * @throws {DomainError} EXCHANGE_NOT_FOUND, STORE_UNAVAILABLE.
 */
export async function readExchange(
  deps: RoamingDeps,
  caller: Caller,
  id: string,
): Promise<WithPartner<WholeExchange>> {
  const partners = await listPartnerNames(deps.sql, caller.networks);
  const key = exchangeKey(id);
  const ids = partners.map((partner) => partner.id);
  const exchange =
    key === null || ids.length === 0 ? null : await fromClickHouse(findExchange(deps.clickhouse, ids, key));
  const partner = partners.find((candidate) => candidate.id === exchange?.partnerId);
  if (exchange === null || partner === undefined) {
    throw new DomainError('EXCHANGE_NOT_FOUND', `There is no exchange ${id}.`);
  }
  return { ...exchange, partner };
}

/**
 * Queues the object of an exchange for its partner again, as it is now.
 * @throws {DomainError} EXCHANGE_NOT_FOUND, OCPI_EXCHANGE_NOT_REPEATABLE, PARTNER_NOT_REGISTERED, STORE_UNAVAILABLE.
 */
export async function retryExchange(deps: RoamingDeps, by: Actor, id: string): Promise<void> {
  const exchange = await readExchange(deps, by.caller, id);
  const pushed = pushedBy(exchange);
  if (pushed === null) throw notRepeatable('it sent no object to the partner');
  await deps.sql.begin(async (transaction) => {
    const { uuid } = exchange.partner;
    const partner = await partners.require(transaction, by.caller.networks, uuid, true);
    if (partner.status !== 'REGISTERED') {
      throw new DomainError('PARTNER_NOT_REGISTERED', 'Only a registered partner receives pushes.');
    }
    if ((await findPushedName<object>(transaction, partner.networkId, pushed)) === null) {
      throw notRepeatable(`its ${pushed.object} does not exist any more`);
    }
    if (!(await queueAgain(transaction, partner.id, pushed))) {
      throw notRepeatable('the partner has the CDR, or no receiver for the object');
    }
    await auditChange(transaction, by, {
      ...partners.entryOf(partner, 'retry-exchange'),
      before: null,
      after: { exchange: id, object: pushed.object },
    });
  });
}

/** Days in which the latest calls with a partner are looked for. */
export const healthDays = 7;

/** Refused object with its identifier for partners. Null: it is gone. */
interface NamedRefusal extends RefusedObject {
  key: string | null;
}

/** Maximum number of refused objects that a health shows. */
export const maxRefusedObjects = 20;

/**
 * Returns the health of the calls with a partner, by direction, and the objects that it refused too often.
 * @throws {DomainError} PARTNER_NOT_FOUND, STORE_UNAVAILABLE.
 */
export async function readHealth(
  deps: RoamingDeps,
  caller: Caller,
  uuid: string,
): Promise<Record<'in' | 'out', CallHealth | null> & { refused: NamedRefusal[] }> {
  const partner = await partners.require(deps.sql, caller.networks, uuid);
  const health = await fromClickHouse(readCallHealth(deps.clickhouse, partner.id, healthDays));
  const of = (direction: 'in' | 'out') => health.find((entry) => entry.direction === direction) ?? null;
  const refused: NamedRefusal[] = [];
  for (const object of await listRefusedObjects(deps.sql, partner.id, maxRefusedObjects)) {
    const named = await findPushedName(deps.sql, partner.networkId, object);
    refused.push({ ...object, key: named?.key ?? null });
  }
  return { in: of('in'), out: of('out'), refused };
}

/** Returns the public identifier of an exchange, which finds it by its time. */
export function exchangeId({ time, id }: Pick<LoggedExchange, 'time' | 'id'>): string {
  return `${time.getTime()}-${id}`;
}

function exchangeKey(id: string): { time: Date; id: string } | null {
  const [, time, uuid] = /^(\d{1,13})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(id) ?? [];
  return time === undefined || uuid === undefined ? null : { time: new Date(Number(time)), id: uuid };
}

/** Returns the object that an exchange pushed. Null: it pushed none. */
export function pushedBy({
  direction,
  object,
  objectId,
}: Pick<LoggedExchange, 'direction' | 'object' | 'objectId'>): {
  object: PushedObject;
  objectId: bigint;
} | null {
  const known = pushedObjects.find((candidate) => candidate === object);
  return direction === 'in' || known === undefined ? null : { object: known, objectId: BigInt(objectId) };
}

function withPartner(row: LoggedExchange, partner: PartnerName | undefined): WithPartner[] {
  return partner === undefined ? [] : [{ ...row, partner }];
}

function notRepeatable(why: string): DomainError {
  return new DomainError('OCPI_EXCHANGE_NOT_REPEATABLE', `This exchange cannot be repeated: ${why}.`);
}
