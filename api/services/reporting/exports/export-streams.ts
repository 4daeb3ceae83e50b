import type { Readable } from 'node:stream';
import { finished } from 'node:stream';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ExportDataset, ExportFormat } from '#shared/domain/reporting/export.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { exportNetworks, exportRange, requireDataScope, type RequestedRange } from './export-access.ts';
import { openExportBytes } from './export-bytes.ts';

/** Longest range of a stream, in days. */
export const maxStreamDays = 31;

/** Streams at a time, of one caller and of a process: each holds a connection of ClickHouse. */
const maxPerCaller = 1;
const maxPerProcess = 3;

/** Request of a stream. */
export interface StreamRequest extends RequestedRange {
  dataset: ExportDataset;
  format: ExportFormat;
  networkId?: string | undefined;
}

/** Streams of this process, by their caller. */
export class ExportStreams {
  readonly #running = new Map<string, number>();
  #total = 0;

  /**
   * Opens a stream of the caller's data. Destroying it ends its queries.
   * @throws {DomainError} SCOPE_MISSING, NETWORK_NOT_FOUND, VALIDATION_FAILED, TOO_MANY_EXPORTS, STORE_UNAVAILABLE.
   */
  async open(deps: ServiceDeps, by: Actor, request: StreamRequest): Promise<Readable> {
    const { caller } = by;
    requireDataScope(caller, request.dataset);
    const networkIds = await exportNetworks(deps, caller, request.networkId);
    const range = exportRange(request, maxStreamDays);
    const release = this.#take(caller.who.uuid);
    try {
      const bytes = await openExportBytes(deps, { ...request, ...range, networkIds });
      finished(bytes, release);
      await audit(deps.sql, by, streamed(request, range, networkIds));
      return bytes;
    } catch (error) {
      release();
      throw error;
    }
  }

  #take(caller: string): () => void {
    const running = this.#running.get(caller) ?? 0;
    if (running >= maxPerCaller || this.#total >= maxPerProcess) {
      throw new DomainError(
        'TOO_MANY_EXPORTS',
        'Another export is being streamed. Try again when it has ended, or create an export with POST /exports.',
      );
    }
    this.#running.set(caller, running + 1);
    this.#total += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#total -= 1;
      const left = (this.#running.get(caller) ?? 1) - 1;
      if (left === 0) this.#running.delete(caller);
      else this.#running.set(caller, left);
    };
  }
}

function streamed(
  { dataset, format, by }: StreamRequest,
  { from, to }: { from: Date; to: Date },
  networkIds: readonly number[],
) {
  return {
    networkId: networkIds.length === 1 ? (networkIds[0] ?? null) : null,
    category: 'export',
    action: 'stream',
    resourceId: dataset,
    resourceName: dataset,
    description: `${dataset} were streamed`,
    details: { format, by, from: from.toISOString(), to: to.toISOString(), networkIds },
  };
}
