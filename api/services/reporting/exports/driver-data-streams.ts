import { finished, Readable } from 'node:stream';
import { grants, type Scope } from '#shared/domain/access/scopes.ts';
import type { UserRecord } from '#shared/postgres/people/users.statements.ts';
import { driverDataParts, readDriverData } from '#shared/postgres/reporting/driver-data.statements.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import { type Caller, requireScope } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { StreamSlots } from './stream-slots.ts';

/** Records that are read at once. */
const recordsAtOnce = 500;

/** Scopes that an operator needs for the parts of an export. */
export const driverDataScopes = [
  'cpms:read:users',
  'cpms:read:id-tokens',
  'cpms:read:sessions',
  'cpms:read:wallets',
  'cpms:read:invoices',
  'cpms:read:reservations',
  'cpms:read:api-keys',
  'cpms:read:audit-log',
] as const satisfies readonly Scope[];

/** Returns whether a caller has the scopes of all parts of an export. */
export function hasDriverDataScopes({ scopes }: Caller): boolean {
  return driverDataScopes.every((scope) => grants(scopes, scope));
}

/**
 * Stops an operator that cannot read every part of a driver's data: an export without some of them would look complete.
 * @throws {DomainError} SCOPE_MISSING.
 */
export function requireDriverDataScopes(caller: Caller): void {
  for (const scope of driverDataScopes) requireScope(caller, scope);
}

/** Streams of drivers' data of this process. */
export class DriverDataStreams {
  readonly #slots = new StreamSlots();

  /**
   * Opens a stream of all data of a driver as one JSON document. It is recorded in the audit log.
   * @throws {DomainError} TOO_MANY_EXPORTS.
   */
  async open({ sql }: Pick<ServiceDeps, 'sql'>, by: Actor, driver: UserRecord): Promise<Readable> {
    const release = this.#slots.take(by.caller.who.uuid);
    try {
      await audit(sql, by, {
        networkId: driver.networkId,
        category: 'export',
        action: 'stream',
        resourceId: driver.uuid,
        resourceName: driver.uuid,
        description: 'The data of a driver was exported',
        details: {},
      });
      const bytes = Readable.from(documentOf(sql, driver), { objectMode: false, highWaterMark: 1 });
      finished(bytes, release);
      return bytes;
    } catch (error) {
      release();
      throw error;
    }
  }
}

async function* documentOf(
  sql: ServiceDeps['sql'],
  driver: UserRecord,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { uuid, networkUuid, email, name, phone, language, externalId, createdAt, updatedAt } = driver;
  const profile = {
    id: uuid,
    networkId: networkUuid,
    email,
    name,
    phone,
    language,
    externalId,
    createdAt,
    updatedAt,
  };
  yield Buffer.from(`{"exportedAt":${JSON.stringify(new Date())},"driver":${JSON.stringify(profile)}`);
  for (const part of driverDataParts) {
    yield Buffer.from(`,${JSON.stringify(part)}:[`);
    let separator = '';
    for await (const rows of readDriverData(sql, part, driver, recordsAtOnce)) {
      yield Buffer.from(separator + rows.map((row) => JSON.stringify(row, withoutBigInt)).join(','));
      separator = ',';
    }
    yield Buffer.from(']');
  }
  yield Buffer.from('}');
}

/** Amounts are below 2 ** 53 minor units. */
function withoutBigInt(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
