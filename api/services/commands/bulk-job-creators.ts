import { isAddressAmong } from '#shared/domain/access/addresses.ts';
import type { Scope } from '#shared/domain/access/scopes.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findApiKey } from '#shared/postgres/access/api-keys.statements.ts';
import { findOperator } from '#shared/postgres/people/operators.statements.ts';
import { type Caller, requireScope, toCaller } from '#api/services/access/callers.ts';
import { callerOfOperator, requireEnabled } from '#api/services/access/operator-callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Creator of a job. */
interface JobCreator {
  /** Hash of the secret of its key; null: an operator. */
  creatorKeyHash: Buffer | null;
  creatorOperatorUuid: string | null;
  ipAddress: string;
}

/**
 * Returns the authority that the creator of a job has now, if it includes a scope.
 * @throws {DomainError} KEY_REVOKED, KEY_EXPIRED, ADDRESS_NOT_ALLOWED, OPERATOR_NOT_ALLOWED, SCOPE_MISSING.
 */
export async function creatorOfJob(
  deps: Pick<ServiceDeps, 'sql'>,
  job: JobCreator,
  scope: Scope,
): Promise<Caller> {
  const caller =
    job.creatorKeyHash === null ? await operatorOf(deps, job) : await keyOf(deps, job, job.creatorKeyHash);
  requireScope(caller, scope);
  return caller;
}

async function keyOf(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { ipAddress }: JobCreator,
  hash: Buffer,
): Promise<Caller> {
  const key = await findApiKey(sql, hash);
  if (key === null || key.isRevoked) throw new DomainError('KEY_REVOKED', 'The key of this job was revoked.');
  if (key.expiresAt !== null && key.expiresAt <= new Date()) {
    throw new DomainError('KEY_EXPIRED', `The key of this job expired at ${key.expiresAt.toISOString()}.`);
  }
  if (key.allowedIPs.length > 0 && !isAddressAmong(ipAddress, key.allowedIPs)) {
    throw new DomainError('ADDRESS_NOT_ALLOWED', `The key of this job may not be used from ${ipAddress}.`);
  }
  return toCaller(key);
}

async function operatorOf(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { creatorOperatorUuid }: JobCreator,
): Promise<Caller> {
  const operator = creatorOperatorUuid && (await findOperator(sql, allNetworks, creatorOperatorUuid));
  if (!operator) {
    throw new DomainError('OPERATOR_NOT_ALLOWED', 'The account of this job was removed.');
  }
  requireEnabled(operator);
  return callerOfOperator(operator, null);
}
