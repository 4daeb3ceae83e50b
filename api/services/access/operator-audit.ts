import type { OperatorRecord } from '#shared/postgres/people/operators.ts';

/** Returns the audit log entry of an action on an operator, with the network that it is shown in. */
export function auditedOperator(operator: OperatorRecord, action: string) {
  const { uuid, name, email, networkIds } = operator;
  return {
    networkId: networkIds[0] ?? null,
    category: 'operator',
    action,
    resourceId: uuid,
    resourceName: email ?? name,
  };
}
