import { concurrentIndex } from '#shared/postgres/kernel/migration-file.ts';
import { actionsOf, type Statement, statementsOf } from '#shared/testing/sql-statements.ts';

/** Statements that break, or block for long, a process of the previous version that runs during a migration. */
const rules: [pattern: RegExp, reason: string][] = [
  [
    /^(drop (table|view|materialized view|schema|function|type)|truncate)\b/,
    'the previous version may use it',
  ],
  [/^alter table\b.*\bdrop (?!not null|default)/, 'the previous version may use it'],
  [/^alter (table|view|index|type)\b.*\brename\b/, 'the previous version uses the old name'],
  [/^alter table\b.*\balter (column )?\w+ (set data )?type\b/, 'it rewrites the table under a lock'],
  [/^alter table\b.*\bset not null\b/, 'the previous version may write null'],
  [
    /^alter table\b.*\badd (column )?(if not exists )?\w+ [^,]*\bnot null\b(?!.*\bdefault\b)/,
    'the previous version does not write the column',
  ],
  [
    /^alter table\b.*\badd (constraint \w+ )?(check|unique|foreign key|primary key|exclude)\b(?!.*\bnot valid\b)/,
    'it reads the table under a lock',
  ],
  [/^alter table\b.*\badd (column )?.*\bdefault gen_random_uuid\b/, 'it rewrites the table under a lock'],
  [
    /^alter table\b.*\badd (column )?(if not exists )?\w+ .*\breferences\b(?!.*\bnot valid\b)/,
    'it reads the table under a lock, and locks the other table as well',
  ],
  [/^(with\b.*\b)?(update|delete from)\b/, 'it locks the rows until the transaction ends'],
  [/^do\b/, 'its statements are not read by this test'],
  [/^alter type\b/, 'the previous version does not know the change'],
  [/^create (unique )?index\b/, 'it blocks writes while it reads the table'],
];

/** Tables with a row for each of what chargers, drivers and partners do, or of what they have. */
const largeTables = new Set([
  'audit_log',
  'cdrs',
  'chargers',
  'connectors',
  'device_events',
  'device_variables',
  'evses',
  'id_tokens',
  'invoices',
  'ledger_entries',
  'ledger_transactions',
  'ocpi_authorizations',
  'ocpi_delivered_cdrs',
  'ocpi_tokens',
  'outbox',
  'receipts',
  'remote_starts',
  'reservations',
  'security_events',
  'session_revisions',
  'sessions',
  'signed_meter_values',
  'users',
  'wallet_holds',
  'wallets',
]);

/**
 * Returns the statements of a migration that need a reason, each with the rule. A comment `-- safe: reason` before a statement
 * states one. Tables that the migration itself creates have no other users. An index of an existing large table is built outside a
 * transaction, whatever the reason.
 */
export function unsafeStatements(migration: string): string[] {
  if (concurrentIndex('that is read', migration) !== null) return [];
  const statements = statementsOf(migration);
  const created = statements.flatMap(
    ({ text }) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? [],
  );
  return statements
    .flatMap((statement) => actionsOf(statement.text).map((text) => ({ ...statement, text })))
    .filter(({ text }) => !created.includes(tableOf(text)))
    .flatMap((statement) => faultOf(statement) ?? []);
}

/** Returns what is unsafe about a statement; null: nothing, or there is a reason for it. */
function faultOf({ text, isReasoned }: Statement): string | null {
  if (/^create (unique )?index\b/.test(text) && largeTables.has(tableOf(text))) {
    return `${text}: it blocks writes of a large table; build it concurrently, with -- no-transaction in the first line`;
  }
  const rule = isReasoned ? undefined : rules.find(([pattern]) => pattern.test(text));
  return rule === undefined ? null : `${text}: ${rule[1]}`;
}

/** Returns the table of a change or of an index. */
function tableOf(statement: string): string {
  const table = /^(?:alter table (?:if exists )?(?:only )?|update |delete from |create .*?\bon )(\w+)/;
  return table.exec(statement)?.[1] ?? '';
}
