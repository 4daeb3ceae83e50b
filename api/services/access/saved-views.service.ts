import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  countSavedViews,
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  lockSavedView,
  type SavedView,
  type SavedViewFields,
  updateSavedView,
  type ViewOwner,
} from '#shared/postgres/access/saved-views.statements.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { type Actor, auditChange } from './audit.ts';
import type { Caller } from './callers.ts';
import { keepNetwork, namedNetwork } from './networks.service.ts';

export type { SavedView } from '#shared/postgres/access/saved-views.statements.ts';

/** Maximum size in bytes of the query of a view, as JSON. */
export const maxViewBytes = 8192;

/** Maximum number of views of one owner. */
const maxViews = 200;

/** Requested fields of a view. `sharedWithNetworkId` null: only its owner sees it. */
export interface RequestedView {
  name: string;
  page: string;
  query: Record<string, unknown>;
  sharedWithNetworkId: string | null;
}

/** Lists the views of the caller, and those that are shared with its networks. */
export async function readSavedViews(
  { sql }: ServiceDeps,
  caller: Caller,
  page: string | undefined,
): Promise<SavedView[]> {
  return listSavedViews(sql, caller.networks, ownerOf(caller), page);
}

/**
 * Saves a view.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a query that is too large, and for too many views.
 */
export async function createSavedView(
  deps: ServiceDeps,
  by: Actor,
  wanted: RequestedView,
): Promise<SavedView> {
  const owner = ownerOf(by.caller);
  requireSize(wanted.query);
  const networkId = await sharedNetwork(deps, by.caller, wanted.sharedWithNetworkId);
  return deps.sql.begin(async (transaction) => {
    if (networkId !== null) await keepNetwork(transaction, networkId);
    if ((await countSavedViews(transaction, owner)) >= maxViews) {
      throw wrongField('name', `would be more than ${maxViews} views: delete one`);
    }
    const fields = fieldsOf(wanted, networkId?.id ?? null);
    const view = await insertSavedView(transaction, { ...owner, name: by.caller.who.name }, fields);
    await auditChange(transaction, by, { ...auditTarget(view, 'create'), before: null, after: fields });
    return view;
  });
}

/**
 * Changes a view of the caller.
 * @throws {DomainError} SAVED_VIEW_NOT_FOUND, also for a shared view of another owner; and as `createSavedView` does.
 */
export async function changeSavedView(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  changes: Partial<RequestedView>,
): Promise<SavedView> {
  const owner = ownerOf(by.caller);
  if (changes.query !== undefined) requireSize(changes.query);
  const { sharedWithNetworkId } = changes;
  const networkId = await sharedNetwork(deps, by.caller, sharedWithNetworkId ?? null);
  return deps.sql.begin(async (transaction) => {
    if (networkId !== null) await keepNetwork(transaction, networkId);
    const before = requireFound(await lockSavedView(transaction, owner, uuid), uuid);
    const isShareKept = sharedWithNetworkId === undefined;
    // An owner that has left the network cannot change what its callers see.
    if (isShareKept && before.networkUuid !== null) {
      await sharedNetwork({ sql: transaction }, by.caller, before.networkUuid);
    }
    const shared = isShareKept ? before.networkId : (networkId?.id ?? null);
    const fields = fieldsOf({ ...before, ...changes }, shared);
    const view = await updateSavedView(transaction, owner, before.id, fields);
    await auditChange(transaction, by, {
      ...auditTarget(view, 'update'),
      before: fieldsOf(before, before.networkId),
      after: fields,
    });
    return view;
  });
}

/**
 * Deletes a view of the caller.
 * @throws {DomainError} SAVED_VIEW_NOT_FOUND, also for a shared view of another owner.
 */
export async function removeSavedView(deps: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  await deps.sql.begin(async (transaction) => {
    const view = requireFound(await lockSavedView(transaction, ownerOf(by.caller), uuid), uuid);
    await deleteSavedView(transaction, view.id);
    const before = fieldsOf(view, view.networkId);
    await auditChange(transaction, by, { ...auditTarget(view, 'delete'), before, after: null });
  });
}

/** @throws {DomainError} OPERATOR_KEY_REQUIRED for a driver, who has no views. */
function ownerOf({ who }: Caller): ViewOwner {
  if (who.kind === 'driver') throw new DomainError('OPERATOR_KEY_REQUIRED', 'Drivers have no saved views.');
  return { kind: who.kind, id: who.id };
}

function sharedNetwork(reads: { sql: Queryable }, caller: Caller, uuid: string | null) {
  return uuid === null ? null : namedNetwork(reads, caller, uuid);
}

function requireSize(query: Record<string, unknown>): void {
  if (Buffer.byteLength(JSON.stringify(query)) <= maxViewBytes) return;
  throw wrongField('query', `must have at most ${maxViewBytes} bytes as JSON`);
}

function fieldsOf(
  { name, page, query }: Pick<RequestedView, 'name' | 'page' | 'query'>,
  networkId: number | null,
): SavedViewFields {
  return { name, page, query, networkId };
}

function auditTarget({ networkId, uuid, name }: SavedView, action: string) {
  return { networkId, category: 'saved-view', action, resourceId: uuid, resourceName: name };
}

function requireFound(view: SavedView | null, uuid: string): SavedView {
  if (view === null) throw new DomainError('SAVED_VIEW_NOT_FOUND', `You have no saved view ${uuid}.`);
  return view;
}
