import { DomainError } from '#shared/domain/kernel/errors.ts';
import { scopesOfRole } from '#shared/domain/access/roles.ts';
import { allNetworks, onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import type { Caller } from './callers.ts';

/** Returns the caller for an operator. `sessionId`: the session of a login with a password here. */
export function callerOfOperator(operator: OperatorRecord, sessionId: string | null): Caller {
  const { id, uuid, name, email, role, customRole, unrestricted, networkIds } = operator;
  const mustEnrol = operator.requiresSecondFactor && !operator.hasSecondFactor;
  return {
    who: {
      kind: 'operator',
      id,
      uuid,
      name,
      email,
      sessionId,
      customRoleName: customRole?.name ?? null,
      mustEnrol,
    },
    keyType: null,
    unrestricted,
    networks: unrestricted ? allNetworks : onlyNetworks(networkIds),
    userId: null,
    scopes: customRole?.scopes ?? scopesOfRole(role),
    roleCeiling: role,
    rateLimitPerHour: null,
    allowedIPs: [],
    expiresAt: null,
  };
}

/** @throws {DomainError} OPERATOR_NOT_ALLOWED when the account is disabled. */
export function requireEnabled({ isDisabled }: Pick<OperatorRecord, 'isDisabled'>): void {
  if (isDisabled) throw new DomainError('OPERATOR_NOT_ALLOWED', 'This account is disabled.');
}
