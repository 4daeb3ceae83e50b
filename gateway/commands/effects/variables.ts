import type { VariableSet } from '#shared/domain/commands/command-effects.ts';
import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ResponseOf } from '#shared/ocpp/validators.ts';
import { storeSetVariables } from '#shared/postgres/commands/set-variables.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { componentVariableOf } from '#gateway/ocpp201/component-variable.ts';

type Answer = ResponseOf<DeviceModelVersion, 'SetVariables'>;

/**
 * Stores the values that the charger took at once. One that waits for a reboot is stored with the report after it.
 * @param answer of SetVariables, or null
 */
export async function storeTakenVariables(
  sql: Sql,
  chargerId: number,
  variables: readonly VariableSet[],
  answer: unknown,
): Promise<void> {
  const results = (answer as Answer | null)?.setVariableResult ?? [];
  const taken = new Set(
    results
      .filter(({ attributeStatus }) => attributeStatus === 'Accepted')
      .map((result) =>
        nameOf({ ...componentVariableOf(result), attribute: result.attributeType ?? 'Actual' }),
      ),
  );
  const accepted = variables.filter((variable) => taken.has(nameOf(variable)));
  if (accepted.length > 0) await storeSetVariables(sql, chargerId, accepted);
}

/** Returns the name of an attribute in comparable form: names have no case (identifierString). */
function nameOf(variable: Omit<VariableSet, 'value'>): string {
  const {
    component,
    componentInstance,
    evse,
    connector,
    variable: name,
    variableInstance,
    attribute,
  } = variable;
  return JSON.stringify([
    component,
    componentInstance,
    evse,
    connector,
    name,
    variableInstance,
    attribute,
  ]).toLowerCase();
}
