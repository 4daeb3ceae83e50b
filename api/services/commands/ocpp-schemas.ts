import {
  type ActionSchemas,
  ocppVersions,
  schemasOfAction,
  sendableActions,
} from '#shared/ocpp/published-schemas.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

export { ocppVersions } from '#shared/ocpp/published-schemas.ts';

export type SchemaVersion = (typeof ocppVersions)[number];

/** Returns the actions that `sendOcppCommand` can send, by version. */
export function listOcppActions() {
  return ocppVersions.map((version) => ({ version, actions: sendableActions(version) }));
}

/**
 * Returns the schemas of an action.
 * @throws {DomainError} ACTION_UNKNOWN.
 */
export async function readOcppSchemas(version: SchemaVersion, action: string): Promise<ActionSchemas> {
  const schemas = await schemasOfAction(version, action);
  if (schemas !== null) return schemas;
  throw new DomainError(
    'ACTION_UNKNOWN',
    `A central system sends no action ${action} in OCPP ${version}. List the actions with GET /cpms/v1/ocpp-schemas.`,
  );
}
