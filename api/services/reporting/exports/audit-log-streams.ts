import { finished, Readable } from 'node:stream';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { ExportRow, ExportValue } from '#shared/domain/reporting/export.ts';
import {
  type AuditFilter,
  type ExportedAuditEntry,
  listExportedAuditEntries,
} from '#shared/postgres/access/audit-log.statements.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { StaleReads } from '#shared/postgres/kernel/replica.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readsUpTo } from '#api/services/kernel/stale-reads.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';
import { csvBytes, withByteOrderMark } from './csv-bytes.ts';
import { StreamSlots } from './stream-slots.ts';

export const auditLogFormats = ['ndjson', 'csv'] as const;
export type AuditLogFormat = (typeof auditLogFormats)[number];

/** Entries that are read at once. No connection is held between two batches, however slowly they are taken. */
const entriesAtOnce = 1000;

/** Fields of an exported entry with their values, in the order of the columns. Fields are added at the end. */
const fields: Record<string, (entry: ExportedAuditEntry) => ExportValue> = {
  id: ({ id }) => Number(id),
  timestamp: ({ at }) => at.toISOString(),
  networkId: ({ networkUuid }) => networkUuid,
  category: ({ category }) => category,
  action: ({ action }) => action,
  resourceId: ({ resourceId }) => resourceId,
  resourceName: ({ resourceName }) => resourceName,
  description: ({ description }) => description,
  userId: ({ userId }) => userId,
  userName: ({ userName }) => userName,
  ipAddress: ({ ipAddress }) => ipAddress,
  requestId: ({ requestId }) => requestId,
};

/** Streams of the audit log of this process. */
export class AuditLogStreams {
  readonly #slots = new StreamSlots();

  /**
   * Opens a stream of the entries that a caller sees, oldest first, up to now. It is recorded in the log itself.
   * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, TOO_MANY_EXPORTS.
   */
  async open(
    deps: ServiceDeps,
    by: Actor,
    networkUuid: string | undefined,
    filter: AuditFilter,
    format: AuditLogFormat,
  ): Promise<Readable> {
    requireOrder(filter);
    const scope = await networksOfCall(deps, by.caller, networkUuid);
    const upToNow = { ...filter, to: filter.to ?? new Date() };
    const release = this.#slots.take(by.caller.who.uuid);
    try {
      await audit(deps.sql, by, streamed(scope, upToNow, format));
      const batches = entryBatches(readsUpTo(deps, upToNow.to), scope, upToNow);
      const bytes = Readable.from(format === 'csv' ? csv(batches) : ndjson(batches), {
        objectMode: false,
        highWaterMark: 1,
      });
      finished(bytes, release);
      return bytes;
    } catch (error) {
      release();
      throw error;
    }
  }
}

type Batches = AsyncGenerator<ExportedAuditEntry[], void, undefined>;

async function* entryBatches(reads: StaleReads, scope: NetworkScope, filter: AuditFilter): Batches {
  let after: ExportedAuditEntry | null = null;
  do {
    const next = after;
    const found: ExportedAuditEntry[] = await reads.read((sql) =>
      listExportedAuditEntries(sql, scope, filter, next, entriesAtOnce),
    );
    if (found.length > 0) yield found;
    after = found.length < entriesAtOnce ? null : (found.at(-1) ?? null);
  } while (after !== null);
}

/** One JSON object on each line. */
async function* ndjson(batches: Batches): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const entries of batches) {
    yield Buffer.from(entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`).join(''));
  }
}

function lineOf(entry: ExportedAuditEntry): object {
  const values = Object.entries(fields).map(([name, value]) => [name, value(entry)] as const);
  return { ...Object.fromEntries(values), details: entry.details };
}

function csv(batches: Batches): AsyncGenerator<Uint8Array, void, undefined> {
  const columns = [...Object.keys(fields), 'details'].map((name) => ({ name }));
  async function* rows(): AsyncGenerator<ExportRow[], void, undefined> {
    for await (const entries of batches) {
      yield entries.map((entry) => [
        ...Object.values(fields).map((value) => value(entry)),
        JSON.stringify(entry.details),
      ]);
    }
  }
  return withByteOrderMark(csvBytes(columns, rows()));
}

function streamed(scope: NetworkScope, { from, to, ...filter }: AuditFilter, format: AuditLogFormat) {
  const networkIds = scope.all ? null : scope.networkIds;
  return {
    networkId: networkIds?.length === 1 ? (networkIds[0] ?? null) : null,
    category: 'export',
    action: 'stream',
    resourceId: 'audit-log',
    resourceName: 'audit-log',
    description: 'audit-log was streamed',
    details: {
      ...filter,
      format,
      from: from?.toISOString() ?? null,
      to: to?.toISOString() ?? null,
      networkIds,
    },
  };
}
