/** First line of a migration that runs outside a transaction. */
const marker = '-- no-transaction';

/** The only statement of such a migration. It can be repeated after an interruption. */
const indexBuild = /^create (?:unique )?index concurrently if not exists (\w+)\s+on\s[^;]+;?$/i;

/**
 * Returns the index that a migration builds outside a transaction, while others write to the table. Null: the migration runs in a
 * transaction.
 * @throws {Error} when the file has the marker and anything but the statement of one index.
 */
export function concurrentIndex(name: string, migration: string): string | null {
  if (migration.split('\n', 1)[0] !== marker) return null;
  const statement = migration.replaceAll(/^\s*--.*$/gm, '').trim();
  const index = indexBuild.exec(statement)?.[1];
  if (index === undefined) {
    throw new Error(
      `The migration ${name} runs outside a transaction: its one statement must be ` +
        '`create index concurrently if not exists name on table …`.',
    );
  }
  return index;
}
