import type { VariableSet } from '#shared/domain/commands/command-effects.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * Stores values that a charger took, of variables that it reported before. The time of the report stays, so that a
 * later report by a slow clock still counts.
 */
export async function storeSetVariables(
  sql: Queryable,
  chargerId: number,
  variables: readonly VariableSet[],
): Promise<void> {
  await sql`
    update device_variables d set value = r.value
    from jsonb_to_recordset(${sql.json(variables as never)}) as r(component text, "componentInstance" text, evse integer,
      connector integer, variable text, "variableInstance" text, attribute text, value text)
    where d.charger_id = ${chargerId} and d.mutability <> 'WriteOnly' and d.attribute = r.attribute
      and lower(d.component) = lower(r.component) and lower(d.component_instance) = lower(r."componentInstance")
      and d.evse = r.evse and d.connector = r.connector and lower(d.variable) = lower(r.variable)
      and lower(d.variable_instance) = lower(r."variableInstance")`;
}
