import {
  holdKeyTree,
  type ListedApiKey,
  lockKeysOfOperator,
  lockMintedKeys,
  removeApiKeys,
} from '#shared/postgres/access/api-key-listing.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import { type Actor, auditChange } from './audit.ts';
import { covers } from './key-authority.ts';
import { callerOfOperator } from './operator-callers.ts';

/**
 * Revokes keys and every key that they minted, directly or through others. The caller has taken `holdKeyTree`. Returns the keys
 * alongside those named.
 */
export async function revokeKeys(
  transaction: Transaction,
  by: Actor,
  keys: readonly ListedApiKey[],
): Promise<ListedApiKey[]> {
  const named = keys.map(({ id }) => id);
  const minted = (await lockMintedKeys(transaction, named)).filter(({ id }) => !named.includes(id));
  const all = [...keys, ...minted];
  await removeApiKeys(
    transaction,
    all.map(({ id }) => id),
  );
  for (const key of all) {
    await auditKey(transaction, by, key, 'revoke');
  }
  return minted;
}

/**
 * Revokes the keys of an operator that hold more than the operator does now; all of them where the account is disabled or
 * removed (`after` is null). Returns what was revoked.
 */
export async function revokeExcessKeys(
  transaction: Transaction,
  by: Actor,
  { id }: OperatorRecord,
  after: OperatorRecord | null,
): Promise<ListedApiKey[]> {
  await holdKeyTree(transaction, 'revoke');
  const keys = await lockKeysOfOperator(transaction, id);
  const holder = after === null || after.isDisabled ? null : callerOfOperator(after, null);
  const excess = keys.filter((key) => holder === null || !covers(holder, key));
  if (excess.length === 0) return [];
  return [...excess, ...(await revokeKeys(transaction, by, excess))];
}

/** Returns true when a change of an account leaves its role, its networks and its standing as they were. */
export function hasSameAuthority(before: OperatorRecord, after: OperatorRecord): boolean {
  return (
    before.role === after.role &&
    before.customRoleId === after.customRoleId &&
    before.isDisabled === after.isDisabled &&
    before.unrestricted === after.unrestricted &&
    before.networkIds.join() === after.networkIds.join()
  );
}

/** Records a new or revoked key; that of a driver without its name and description, because the driver can be deleted. */
export function auditKey(
  transaction: Transaction,
  by: Actor,
  key: ListedApiKey,
  action: 'create' | 'revoke',
): Promise<void> {
  const recorded = key.userUuid === null ? key : { ...key, name: null, description: null };
  return auditChange(transaction, by, {
    networkId: key.networkIds[0] ?? null,
    category: 'api-key',
    action,
    resourceId: key.uuid,
    resourceName: recorded.name ?? `${key.keyPrefix}…${key.last4}`,
    before: action === 'revoke' ? recorded : null,
    after: action === 'create' ? recorded : null,
  });
}
