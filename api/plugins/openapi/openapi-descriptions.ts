import { declaresError } from '#api/plugins/declared-errors.ts';

/** Returns the schema of a route whose description continues with the rules that follow from its errors and its scope. */
export function withCommonRules<Schema extends { description?: string; response?: unknown }>(
  schema: Schema,
  scope: string | null | undefined,
): Schema {
  // A missing description must stay missing, so that the test of descriptions finds it.
  if (schema?.description === undefined) return schema;
  const rules = [
    schema.description,
    declaresError(schema.response, 'CHARGER_OFFLINE') &&
      declaresError(schema.response, 'CHARGER_TIMEOUT') &&
      'Waits for the charger: 409 when it is offline, 502 when it answers with an error, 504 when it does not answer in time.',
    typeof scope === 'string' && `Requires the scope \`${scope}\`.`,
  ];
  return { ...schema, description: rules.filter((rule) => rule !== false).join(' ') };
}
