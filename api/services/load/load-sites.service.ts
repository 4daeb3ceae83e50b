import type { Actor } from '#api/services/access/audit.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { SiteSettings } from '#shared/domain/load/plan.ts';
import { effectiveSite, quirksOfStation } from '#shared/domain/load/quirks.ts';
import { checkedSite, siteProblems } from '#shared/domain/load/site-problems.ts';
import { listConnected } from '#shared/postgres/fleet/connections.ts';
import { findLocation } from '#shared/postgres/fleet/location-records.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import {
  findLoadSite,
  insertLoadSite,
  listLoadSites,
  type LoadCircuit,
  type LoadConnector,
  type LoadConnectorDetails,
  type LoadSiteRecord,
  removeLoadSite,
  replaceTree,
  updateLoadSite,
} from '#shared/postgres/load/load-sites.statements.ts';
import { lockConnectors } from '#shared/postgres/load/wired-connectors.statements.ts';
import { readLoadSessions } from '#shared/postgres/load/site-leases.ts';
import { reportSiteChange } from './site-bus.ts';

export type { LoadSiteRecord } from '#shared/postgres/load/load-sites.statements.ts';

/** Connector in a request: the site follows from the request. */
export type WiredConnectorFields = Omit<LoadConnectorDetails, 'siteId'>;

/** Site in a request. */
export interface NewLoadSite {
  name: string;
  locationId: string | null;
  isEnabled: boolean;
  settings: SiteSettings;
  circuits: LoadCircuit[];
  connectors: WiredConnectorFields[];
}

/** Sites and their changes. */
export const loadSites = new AuditedRecords<LoadSiteRecord>({
  category: 'load-site',
  notFound: 'LOAD_SITE_NOT_FOUND',
  find: findLoadSite,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
  audited: ({ name, locationUuid, isEnabled, settings, circuits, connectors, bounds }) => ({
    name,
    locationId: locationUuid,
    isEnabled,
    settings,
    circuits,
    connectors: connectors.map(auditedConnector),
    bounds,
  }),
});

const auditedConnector = ({ id, circuitId, rotation, connection, voltage, ...more }: LoadConnector) => {
  const { minAmps, maxAmps, fallbackAmps, control, quirks, priority, setAsideAt } = more;
  const wiring = { connectorId: id, circuitId, rotation, connection, voltage };
  return { ...wiring, minAmps, maxAmps, fallbackAmps, control, quirks, priority, setAsideAt };
};

/** Returns a stored site as it is controlled, with the defects that its stations have shown since it was stored. */
export function checkRecord(record: LoadSiteRecord): ReturnType<typeof checkedSite> {
  return checkedSite(
    effectiveSite({ ...record, id: record.uuid }),
    record.connectors.map((connector) => ({ ...connector, quirks: quirksOfStation(connector) })),
  );
}

/** Returns a page of the sites of the caller's networks, oldest first. */
export async function readSites(
  deps: ServiceDeps,
  caller: Caller,
  query: { networkUuid: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ rows: LoadSiteRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(query.cursor);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  return cutById(await listLoadSites(deps.sql, scope, after, query.limit + 1), query.limit);
}

/** @throws {DomainError} LOAD_SITE_UNSAFE, NETWORK_NOT_FOUND, VALIDATION_FAILED. */
export async function createSite(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  site: NewLoadSite,
): Promise<LoadSiteRecord> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  return loadSites.create(deps.sql, by, async (transaction) => {
    await keepNetwork(transaction, network);
    const locationId = await locationOf(transaction, network.id, site.locationId);
    const { id, uuid } = await insertLoadSite(transaction, network.id, locationId, site);
    await storeTree(transaction, { id, uuid, networkId: network.id }, site);
    return loadSites.require(transaction, by.caller.networks, uuid);
  });
}

/**
 * Changes fields of a site. Circuits and connectors are replaced as whole lists.
 * @throws {DomainError} LOAD_SITE_IN_USE, LOAD_SITE_NOT_FOUND, LOAD_SITE_UNSAFE, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export async function changeSite(
  { sql, bus }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  changeOf: (before: LoadSiteRecord) => Partial<NewLoadSite>,
): Promise<LoadSiteRecord> {
  const after = await loadSites.change(sql, by, uuid, expected, async (transaction, before) => {
    const { locationId: locationUuid, circuits, connectors, ...details } = changeOf(before);
    const locationId =
      locationUuid === undefined
        ? before.locationId
        : await locationOf(transaction, before.networkId, locationUuid);
    if (details.isEnabled !== false)
      await requireNoLoad(transaction, before, connectors ?? before.connectors);
    await updateLoadSite(transaction, before.id, locationId, { ...before, ...details });
    if (circuits !== undefined || connectors !== undefined) {
      const tree = { circuits: circuits ?? before.circuits, connectors: connectors ?? before.connectors };
      requireBoundTargets(before, tree);
      await storeTree(transaction, before, tree);
    }
    return loadSites.require(transaction, by.caller.networks, uuid);
  });
  reportSiteChange(bus, after.uuid);
  return after;
}

/** @throws {DomainError} LOAD_SITE_NOT_FOUND, PRECONDITION_FAILED. */
export async function deleteSite(
  { sql, bus }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await loadSites.remove(sql, by, uuid, expected, (transaction, { id }) => removeLoadSite(transaction, id));
  reportSiteChange(bus, uuid);
}

/** Refuses to remove a charging car, or a station that may start one, from a controlled site: its load would no longer be counted. */
async function requireNoLoad(
  transaction: Transaction,
  { id: siteId, isEnabled, connectors }: LoadSiteRecord,
  kept: readonly { id: string }[],
): Promise<void> {
  if (!isEnabled) return;
  const keptIds = new Set(kept.map(({ id }) => id.toLowerCase()));
  const leaving = connectors.filter(({ id }) => !keptIds.has(id));
  if (leaving.length === 0) return;
  const busy = new Set((await readLoadSessions(transaction, [siteId])).map(({ connectorId }) => connectorId));
  const charging = leaving.find(({ connectorId }) => busy.has(connectorId));
  if (charging !== undefined) {
    const { number, chargerUid } = charging;
    throw new DomainError(
      'LOAD_SITE_IN_USE',
      `A session runs at connector ${number} of the charger ${chargerUid}.`,
    );
  }
  const connected = await listConnected(
    transaction,
    leaving.map(({ chargerId }) => chargerId),
  );
  if (connected.length === 0) return;
  throw new DomainError(
    'LOAD_SITE_IN_USE',
    `The charger ${connected[0]} is connected: disconnect it, or disable the site first.`,
  );
}

interface Tree {
  circuits: readonly LoadCircuit[];
  connectors: readonly WiredConnectorFields[];
}

/** Stores a tree without defects. @throws {DomainError} LOAD_SITE_UNSAFE, VALIDATION_FAILED. */
async function storeTree(
  transaction: Transaction,
  { id, uuid, networkId }: Pick<LoadSiteRecord, 'id' | 'uuid' | 'networkId'>,
  { circuits, connectors }: Tree,
): Promise<void> {
  const wanted = connectors.map((connector) => ({ ...connector, id: connector.id.toLowerCase() }));
  const found = await lockConnectors(
    transaction,
    networkId,
    wanted.map((connector) => connector.id),
  );
  const known = new Map(found.map((connector) => [connector.uuid, connector]));
  const rows = wanted.map((connector, index) => {
    const stored = known.get(connector.id);
    const field = `connectors.${index}.connectorId`;
    if (stored === undefined) throw wrongField(field, 'is no connector of the network');
    if (wanted.findIndex((other) => other.id === connector.id) !== index)
      throw wrongField(field, 'is listed twice');
    const { id: connectorId, siteUuid, uuid: _, ...station } = stored;
    return { ...connector, ...station, siteId: siteUuid ?? uuid, connectorId };
  });
  const problems = siteProblems(
    effectiveSite({ id: uuid, circuits, connectors: rows }),
    rows.map((row) => ({ ...row, quirks: quirksOfStation(row) })),
  );
  if (problems.length > 0) {
    const [first] = problems;
    throw new DomainError('LOAD_SITE_UNSAFE', first?.message ?? '', { problems });
  }
  await replaceTree(transaction, id, circuits, rows);
}

/** Refuses to remove what an external bound applies to: the bound would end without notice. */
function requireBoundTargets({ bounds }: LoadSiteRecord, { circuits, connectors }: Tree): void {
  for (const { id, target } of bounds) {
    const isKept =
      'circuitId' in target
        ? circuits.some((circuit) => circuit.id === target.circuitId)
        : connectors.some((connector) => connector.id.toLowerCase() === target.connectorId);
    if (isKept) continue;
    const [field, what] =
      'circuitId' in target
        ? ['circuits', `circuit ${target.circuitId}`]
        : ['connectors', `connector ${target.connectorId}`];
    throw wrongField(
      field,
      `must keep the ${what}, because the bound ${id} applies to it: delete the bound first`,
    );
  }
}

async function locationOf(sql: Queryable, networkId: number, uuid: string | null): Promise<number | null> {
  if (uuid === null) return null;
  const location = await findLocation(sql, onlyNetworks([networkId]), uuid);
  if (location === null) throw wrongField('locationId', 'is no location of the network');
  return location.id;
}
