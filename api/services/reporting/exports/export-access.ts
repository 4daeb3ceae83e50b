import { DomainError } from '#shared/domain/kernel/errors.ts';
import { grants, type Scope } from '#shared/domain/access/scopes.ts';
import { type ExportDataset, exportDatasets, type ExportRange } from '#shared/domain/reporting/export.ts';
import { listNetworks } from '#shared/postgres/fleet/networks.statements.ts';
import type { ExportVisibility } from '#shared/postgres/reporting/exports.statements.ts';
import { type Caller, requireScope } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** Scopes of the data itself, which an export needs alongside its own. */
const dataScopes: Record<ExportDataset, Scope> = {
  sessions: 'cpms:read:sessions',
  cdrs: 'cpms:read:ocpi-partners',
  'meter-values': 'cpms:read:sessions',
};

/**
 * Age in ms of the newest change that a range by change may have: a transaction that began before, and so has an earlier time,
 * has ended by then.
 */
const settledMs = 5 * 60_000;

/** @throws {DomainError} SCOPE_MISSING when the caller may not read the data of a dataset. */
export function requireDataScope(caller: Caller, dataset: ExportDataset): void {
  requireScope(caller, dataScopes[dataset]);
}

/** Returns what a caller sees of the exports, by its rights of this moment. */
export function exportVisibility({ networks, scopes }: Caller): ExportVisibility {
  return { networks, datasets: exportDatasets.filter((dataset) => grants(scopes, dataScopes[dataset])) };
}

/**
 * Returns the networks of an export, one by one: those of the caller at this moment.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function exportNetworks(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
): Promise<number[]> {
  const networks = await listNetworks(deps.sql, await networksOfCall(deps, caller, networkUuid));
  if (networks.length === 0)
    throw new DomainError('NETWORK_NOT_FOUND', 'This key has no access to any network.');
  return networks.map(({ id }) => id);
}

/** Requested range; a time that is left out has its default. */
export interface RequestedRange {
  by: ExportRange;
  from: string;
  to?: string | undefined;
}

/**
 * Returns the range of an export. By change, it ends some minutes ago, so that a later one that begins there misses nothing.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function exportRange({ by, from, to }: RequestedRange, maxDays: number): { from: Date; to: Date } {
  const newest = Date.now() - (by === 'updated' ? settledMs : 0);
  const range = { from: new Date(from), to: to === undefined ? new Date(newest) : new Date(to) };
  if (by === 'updated' && range.to.getTime() > newest) {
    throw wrongField('to', `must be ${settledMs / 60_000} minutes ago or earlier for a range by change`);
  }
  if (range.from >= range.to) throw wrongField('to', 'must be after from');
  if (range.to.getTime() - range.from.getTime() > maxDays * 86_400_000) {
    throw wrongField('to', `must be at most ${maxDays} days after from`);
  }
  return range;
}
