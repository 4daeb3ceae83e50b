import { type ActionSchemas, schemasOfAction, sendableActions } from '#shared/ocpp/published-schemas.ts';
import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** Returns the actions that `sendOcppCommand` can send, by version. */
export function listOcppActions() {
  return ocppVersions.map((version) => ({ version, actions: sendableActions(version) }));
}

/**
 * Returns the schemas of an action.
 * @throws {DomainError} ACTION_UNKNOWN, of an unknown version too.
 */
export async function readOcppSchemas(
  name: string,
  action: string,
): Promise<ActionSchemas & { version: (typeof ocppVersions)[number] }> {
  const version = ocppVersions.find((known) => known === name);
  const schemas = version === undefined ? null : await schemasOfAction(version, action);
  if (version !== undefined && schemas !== null) return { version, ...schemas };
  throw new DomainError(
    'ACTION_UNKNOWN',
    `A central system sends no action ${action} in OCPP ${name}. List the actions with GET /cpms/v1/ocpp-schemas.`,
  );
}
