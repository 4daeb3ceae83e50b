import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** Table with sealed columns; its column `sealing_key` names the key of a row. */
interface SealedTable {
  name: string;
  key: string;
  columns: readonly string[];
  /** True: rows without a `sealing_key` are in clear. */
  mayBeClear?: boolean;
}

const tables: readonly SealedTable[] = [
  { name: 'token_signing_keys', key: 'kid', columns: ['secret'], mayBeClear: true },
  { name: 'webhook_secrets', key: 'id', columns: ['sealed'] },
  { name: 'alert_channels', key: 'id', columns: ['target'] },
  { name: 'ocpi_handshakes', key: 'partner_id', columns: ['their_token', 'our_token', 'answer'] },
  { name: 'bulk_jobs', key: 'id', columns: ['sealed_parameters'] },
  { name: 'second_factors', key: 'id', columns: ['sealed_secret'] },
  { name: 'import_rows', key: 'id', columns: ['sealed_cells', 'sealed_password'] },
];

/** Rows of one transaction. */
const rowsAtOnce = 100;

/** Key that secrets shall be sealed with, and how to do so. */
interface Sealing {
  presentKey: string;
  /** Keys that can be opened, the present one among them. */
  knownKeys: readonly string[];
  /** Returns bytes sealed with the present key. @param from null: the bytes are in clear. */
  sealAgain(stored: Buffer, from: string | null): Buffer;
}

/** Seals the secrets of all tables with the present key, until `stopping` is aborted; returns the number of rows that changed. */
export async function sealAllAgain(
  sql: Sql,
  sealing: Sealing,
  stopping = AbortSignal.any([]),
): Promise<number> {
  let total = 0;
  for (const table of tables) {
    if (stopping.aborted) break;
    let rows = 0;
    do {
      rows = await sql.begin((transaction) => sealSome(transaction, table, sealing));
      total += rows;
    } while (rows === rowsAtOnce && !stopping.aborted);
  }
  return total;
}

async function sealSome(sql: Transaction, table: SealedTable, sealing: Sealing): Promise<number> {
  const { name, key, columns, mayBeClear = false } = table;
  const former = sealing.knownKeys.filter((id) => id !== sealing.presentKey);
  const rows = await sql<Record<string, string | number | Buffer | null>[]>`
    select ${sql(key)} as key, sealing_key, ${sql([...columns])} from ${sql(name)}
    where sealing_key = any(${former}::text[]) or (${mayBeClear} and sealing_key is null)
    limit ${rowsAtOnce} for update skip locked`;
  for (const row of rows) {
    const from = row['sealing_key'] as string | null;
    const changed = Object.fromEntries(
      columns.map((column) => {
        const stored = row[column];
        return [column, Buffer.isBuffer(stored) ? sealing.sealAgain(stored, from) : null];
      }),
    );
    await sql`
      update ${sql(name)} set ${sql({ ...changed, sealing_key: sealing.presentKey })}
      where ${sql(key)} = ${row['key'] as string}`;
  }
  return rows.length;
}

/** Token that a partner gave, as stored. */
interface StoredPartnerToken {
  id: number;
  theirToken: string;
}

/** Replaces tokens of partners, for which `sealAgain` returns another text than null; returns their number. */
export async function sealPartnerTokensAgain(
  sql: Sql,
  sealAgain: (stored: string) => string | null,
): Promise<number> {
  const partners = await sql<StoredPartnerToken[]>`
    select id, their_token as "theirToken" from ocpi_partners where their_token is not null`;
  let changed = 0;
  for (const { id, theirToken } of partners) {
    const sealed = sealAgain(theirToken);
    if (sealed === null) continue;
    const { count } = await sql`
      update ocpi_partners set their_token = ${sealed} where id = ${id} and their_token = ${theirToken}`;
    changed += count;
  }
  return changed;
}

/** Returns the number of sealed rows that none of the keys opens. */
export async function countUnreadableSecrets(sql: Sql, knownKeys: readonly string[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql(name)} where sealing_key <> all(${knownKeys}::text[])`;
    total += row?.count ?? 0;
  }
  const prefixes = knownKeys.map((id) => `sealed:${id}:%`);
  const [partners] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ocpi_partners
    where their_token like 'sealed:%' and their_token not like all(${prefixes}::text[])`;
  return total + (partners?.count ?? 0);
}
