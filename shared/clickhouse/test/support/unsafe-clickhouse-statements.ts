import { actionsOf, statementsOf } from '#shared/testing/sql-statements.ts';

/**
 * Changes that rewrite no stored part, and that processes of the previous version do not notice: inserts name their columns, a new
 * column has the default of its type, and a new index covers new parts.
 */
const safe = [
  /^create table\b/,
  /^alter table \w+ add (column|index)\b/,
  /^alter table \w+ modify (setting|comment)\b/,
];

/** Settings of one change. */
const settings = /^alter table \w+ modify setting\b/;

/**
 * Returns the changes of a migration of ClickHouse that need a reason. A comment `-- safe: reason` before the statement states one, with
 * the duration for large tables. A migration has one statement, since ClickHouse has no transactions.
 */
export function unsafeClickHouseStatements(migration: string): string[] {
  const [statement, ...others] = statementsOf(migration);
  if (statement === undefined || others.length > 0) return ['a migration has one statement'];
  const { text, isReasoned } = statement;
  if (isReasoned) return [];
  const actions = settings.test(text) ? [text] : actionsOf(text);
  return actions.filter((action) => !safe.some((pattern) => pattern.test(action)));
}
