import type { OperatorRecord } from '#shared/postgres/people/operators.ts';

/** How the audit log names what was done to an operator: with the network that its entry is shown in. */
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
