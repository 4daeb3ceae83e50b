import type { Actor } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { BoundSource, PhaseAmps } from '#shared/domain/load/site.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { putBound, removeBound } from '#shared/postgres/load/load-sites.statements.ts';
import { loadSites, type LoadSiteRecord } from './load-sites.service.ts';
import { reportSiteChange } from './site-bus.ts';

/** External bound in a request. It has either a circuit or a connector. */
export interface NewBound {
  source: BoundSource;
  circuitId: string | null;
  connectorId: string | null;
  amps: PhaseAmps;
  validFrom: Date | null;
  validUntil: Date | null;
}

/**
 * Stores an external bound, or replaces the one with its id.
 * @throws {DomainError} LOAD_SITE_NOT_FOUND, VALIDATION_FAILED.
 */
export function setBound(
  deps: ServiceDeps,
  by: Actor,
  siteUuid: string,
  boundId: string,
  bound: NewBound,
): Promise<LoadSiteRecord> {
  const { circuitId, connectorId, validFrom, validUntil } = bound;
  if ((circuitId === null) === (connectorId === null))
    throw wrongField('circuitId', 'or connectorId must be set, and not both');
  if (validUntil !== null && validUntil.getTime() <= (validFrom?.getTime() ?? deps.clock.now()))
    throw wrongField('validUntil', 'must be in the future and after validFrom');
  return changeBounds(deps, by, siteUuid, async (transaction, site) => {
    if (circuitId !== null && !site.circuits.some(({ id }) => id === circuitId))
      throw wrongField('circuitId', 'is no circuit of the site');
    const connector = site.connectors.find(({ id }) => id === connectorId?.toLowerCase());
    if (connectorId !== null && connector === undefined)
      throw wrongField('connectorId', 'is no connector of the site');
    await putBound(transaction, site.id, boundId, { ...bound, connectorId: connector?.connectorId ?? null });
  });
}

/** @throws {DomainError} LOAD_BOUND_NOT_FOUND, LOAD_SITE_NOT_FOUND. */
export function deleteBound(
  deps: ServiceDeps,
  by: Actor,
  siteUuid: string,
  boundId: string,
): Promise<LoadSiteRecord> {
  return changeBounds(deps, by, siteUuid, async (transaction, site) => {
    if (await removeBound(transaction, site.id, boundId)) return;
    throw new DomainError('LOAD_BOUND_NOT_FOUND', `The site has no bound ${boundId}.`);
  });
}

async function changeBounds(
  { sql, bus }: ServiceDeps,
  by: Actor,
  siteUuid: string,
  change: (transaction: Transaction, before: LoadSiteRecord) => Promise<void>,
): Promise<LoadSiteRecord> {
  const after = await loadSites.change(sql, by, siteUuid, null, async (transaction, before) => {
    await change(transaction, before);
    return loadSites.require(transaction, by.caller.networks, siteUuid);
  });
  reportSiteChange(bus, after.uuid);
  return after;
}
