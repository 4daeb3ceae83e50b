import type { Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * Reads the limits of a message that a charger of 2.0.1 reported in its device model; null: not reported. Names are
 * compared without regard to case (identifierString).
 */
export async function readReportedLimits(
  sql: Queryable,
  chargerId: number,
  { component, instance }: { component: string; instance: string },
): Promise<{ items: number | null; bytes: number | null }> {
  const rows = await sql<{ variable: string; value: number }[]>`
    select lower(variable) as variable, value::integer as value from device_variables
    where charger_id = ${chargerId} and lower(component) = lower(${component}) and component_instance = ''
      and evse = 0 and connector = 0 and lower(variable) in ('itemspermessage', 'bytespermessage')
      and lower(variable_instance) = lower(${instance}) and attribute = 'Actual' and value ~ '^[1-9][0-9]{0,8}$'`;
  const valueOf = (name: string) => rows.find(({ variable }) => variable === name)?.value ?? null;
  return { items: valueOf('itemspermessage'), bytes: valueOf('bytespermessage') };
}
