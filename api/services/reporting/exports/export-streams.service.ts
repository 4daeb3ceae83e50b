import { type Readable, finished } from 'node:stream';
import type { ExportDataset, ExportFormat } from '#shared/domain/reporting/export.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { exportNetworks, exportRange, requireDataScope, type RequestedRange } from './export-access.ts';
import { openExportBytes } from './export-bytes.ts';
import { StreamSlots } from './stream-slots.ts';

/** Longest range of a stream, in days. */
export const maxStreamDays = 31;

/** Request of a stream. */
interface StreamRequest extends RequestedRange {
  dataset: ExportDataset;
  format: ExportFormat;
  networkId?: string | undefined;
}

/** Streams of this process. */
export class ExportStreams {
  readonly #slots = new StreamSlots('or create an export with POST /exports');

  /**
   * Opens a stream of the caller's data. Destroying it ends its queries.
   * @throws {DomainError} SCOPE_MISSING, NETWORK_NOT_FOUND, VALIDATION_FAILED, TOO_MANY_EXPORTS, STORE_UNAVAILABLE.
   */
  async open(deps: ServiceDeps, by: Actor, request: StreamRequest): Promise<Readable> {
    const { caller } = by;
    requireDataScope(caller, request.dataset);
    const networkIds = await exportNetworks(deps, caller, request.networkId);
    const range = exportRange(request, maxStreamDays);
    const release = this.#slots.take(caller.who.uuid);
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
