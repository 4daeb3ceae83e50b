import { randomUUID } from 'node:crypto';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  type ClaimedExport,
  claimExport,
  endExport,
  expireExports,
  extendClaim,
  findNextPart,
  type PlannedPart,
  releaseClaim,
  startExport,
  storePart,
} from '#shared/postgres/reporting/export-work.ts';
import {
  listKeptExports,
  listPartFiles,
  storedExportBytes,
} from '#shared/postgres/reporting/exports.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { exportFileDays } from '#shared/domain/reporting/export.ts';
import { openExportBytes } from './export-bytes.ts';
import {
  dropExportFiles,
  dropPartFile,
  listExportDirectories,
  listIdleFiles,
  writePartFile,
} from './export-files.ts';
import { planParts } from './export-plan.ts';

type WorkerDeps = Pick<ServiceDeps, 'sql' | 'staleReads' | 'clickhouse' | 'settings'>;

/** Interval in ms at which a claim is extended while a part is made: a quarter of its length. */
const extendEveryMs = 15_000;

/** Claims without a stored part after which an export fails: an outage of two hours is survived. */
const maxAttempts = 10;
const firstPauseSeconds = 30;
const maxPauseSeconds = 1800;

/** Reports of a worker. */
interface WorkerLog {
  /** The part is tried again after a pause. */
  failed(error: unknown, uuid: string): void;
}

/** Makes the files of exports, one part after another. Any number of processes do so side by side. */
export class ExportWorker {
  readonly #deps: WorkerDeps;
  /** Pools for what is exported: a claim, which must be extended in time, never waits behind it. */
  readonly #reads: WorkerDeps;
  readonly #log: WorkerLog;
  readonly #stopping = new AbortController();

  /** @param longReads pools for statements that take minutes. */
  constructor(deps: WorkerDeps, log: WorkerLog, longReads: Pick<WorkerDeps, 'sql' | 'staleReads'> = deps) {
    this.#deps = deps;
    this.#reads = { ...deps, ...longReads };
    this.#log = log;
  }

  /** Makes all exports that no other worker holds. */
  async work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const claimed = await claimExport(this.#deps.sql, randomUUID());
      if (claimed === null) return;
      await this.#make(claimed);
    }
  }

  /** Breaks off the part in progress, which is made again by the next worker. */
  stop(): void {
    this.#stopping.abort();
  }

  async #make(claimed: ClaimedExport): Promise<void> {
    const { sql } = this.#deps;
    if (claimed.attempts > maxAttempts) {
      await endExport(
        sql,
        claimed,
        'A part could not be made. The log of the API has the cause.',
        exportFileDays,
      );
      return;
    }
    try {
      if (claimed.state === 'QUEUED' && !(await this.#plan(claimed))) return;
      await this.#makeParts(claimed);
    } catch (error) {
      const isStopped = this.#stopping.signal.aborted;
      if (!isStopped) this.#log.failed(error, claimed.uuid);
      await releaseClaim(sql, claimed, isStopped ? null : pauseSeconds(claimed.attempts));
    }
  }

  async #plan(claimed: ClaimedExport): Promise<boolean> {
    const parts = await planParts(this.#reads, claimed);
    return this.#deps.sql.begin((transaction) => startExport(transaction, claimed, parts));
  }

  async #makeParts(claimed: ClaimedExport): Promise<void> {
    const { sql, settings } = this.#deps;
    for (;;) {
      const part = await findNextPart(sql, claimed.id);
      const failure =
        part !== null && (await storedExportBytes(sql)) >= BigInt(settings.exportMaxBytes)
          ? `The files of all exports together reached ${settings.exportMaxBytes} bytes. Delete exports, then create it again.`
          : null;
      if (part === null || failure !== null) {
        await endExport(sql, claimed, failure, exportFileDays);
        return;
      }
      if (!(await this.#makePart(claimed, part))) return;
    }
  }

  /** Returns false when another worker holds the export, or it was deleted. */
  async #makePart(claimed: ClaimedExport, part: PlannedPart): Promise<boolean> {
    const { sql, settings } = this.#deps;
    const { uuid, format } = claimed;
    if (!(await extendClaim(sql, claimed))) return false;
    const source = await openExportBytes(this.#reads, { ...claimed, from: part.from, to: part.to });
    // The reader of the source receives its error. It may fail before there is a reader.
    source.on('error', () => undefined);
    const breakOff = (): void => void source.destroy(new Error('the claim of the export ended'));
    const extending = setInterval(() => void keepClaim(sql, claimed, breakOff), extendEveryMs);
    this.#stopping.signal.addEventListener('abort', breakOff);
    try {
      if (this.#stopping.signal.aborted) breakOff();
      const file = await writePartFile(settings.exportDir, uuid, String(part.number), format, source);
      const isStored = await sql.begin((transaction) => storePart(transaction, claimed, part.number, file));
      if (!isStored) await dropPartFile(settings.exportDir, uuid, file.fileName);
      return isStored;
    } finally {
      clearInterval(extending);
      this.#stopping.signal.removeEventListener('abort', breakOff);
    }
  }
}

async function keepClaim(sql: Sql, claimed: ClaimedExport, lost: () => void): Promise<void> {
  // While PostgreSQL is down, no other process can claim it.
  const isHeld = await extendClaim(sql, claimed).catch(() => true);
  if (!isHeld) lost();
}

function pauseSeconds(attempts: number): number {
  return Math.min(firstPauseSeconds * 2 ** (attempts - 1), maxPauseSeconds);
}

/** Expires exports, and removes files that belong to none; returns the number of expired exports. */
export async function sweepExports({ sql, settings }: Pick<WorkerDeps, 'sql' | 'settings'>): Promise<number> {
  const expired = await expireExports(sql);
  const { exportDir } = settings;
  const uuids = await listExportDirectories(exportDir);
  const kept = await listKeptExports(sql, uuids);
  for (const uuid of uuids) {
    if (!kept.has(uuid)) {
      await dropExportFiles(exportDir, uuid);
      continue;
    }
    const idle = await listIdleFiles(exportDir, uuid);
    const stored = idle.length === 0 ? new Set<string>() : await listPartFiles(sql, uuid);
    for (const name of idle) if (!stored.has(name)) await dropPartFile(exportDir, uuid, name);
  }
  return expired;
}
