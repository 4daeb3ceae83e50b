import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { type Actor, audit } from './audit.ts';

/** Writes to the audit log what a caller did about its own sessions. */
export async function auditLogin(
  sql: Queryable,
  by: Actor,
  action: string,
  details: Record<string, unknown>,
): Promise<void> {
  const { who, networks } = by.caller;
  const name = (who.kind === 'operator' ? who.email : null) ?? who.name ?? who.uuid;
  await audit(sql, by, {
    networkId: networks.all ? null : (networks.networkIds[0] ?? null),
    category: 'auth',
    action,
    resourceId: who.uuid,
    resourceName: name,
    description: `auth ${name}: ${action}`,
    details,
  });
}
