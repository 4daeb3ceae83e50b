import { readTogether } from '#shared/domain/loader.ts';
import { isPostgresDown, type Sql } from './client.ts';

/** Repeats of a reading are recognized for this many days after its first receipt. */
const keptDays = 30;

/** One receipt of a reading. */
export interface ReadingReceipt {
  chargerId: number;
  /** A digest of the reading as the charger sent it, as a uuid. */
  identity: string;
  receivedAt: Date;
}

const recordTogether = readTogether({
  mostKeys: 500,
  isStoreFailure: isPostgresDown,
  deadlineMs: 20_000,
  read: recordReceipts,
});

/** Records a receipt; the time of the first receipt of the same reading. */
export async function firstReceipt(sql: Sql, receipt: ReadingReceipt): Promise<Date> {
  return (await recordTogether(sql, receipt)) ?? receipt.receivedAt;
}

async function recordReceipts(sql: Sql, receipts: ReadingReceipt[]): Promise<Map<ReadingReceipt, Date>> {
  const rows = await sql<{ chargerId: number; identity: string; receivedAt: Date }[]>`
    with receipts as materialized (
      select charger_id, identity, min(received_at) as received_at
      from unnest(
        ${receipts.map(({ chargerId }) => chargerId)}::integer[],
        ${receipts.map(({ identity }) => identity)}::uuid[],
        ${receipts.map(({ receivedAt }) => receivedAt.toISOString())}::timestamptz[]
      ) as r (charger_id, identity, received_at)
      group by charger_id, identity
      -- In one order: two statements never wait for each other.
      order by charger_id, identity
    )
    insert into reading_receipts as known (charger_id, identity, received_at) select * from receipts
    on conflict (charger_id, identity) do update set received_at = known.received_at
    returning charger_id as "chargerId", identity, received_at as "receivedAt"`;
  const first = new Map(rows.map((row) => [keyOf(row), row.receivedAt]));
  return new Map(receipts.map((receipt) => [receipt, first.get(keyOf(receipt)) ?? receipt.receivedAt]));
}

function keyOf({ chargerId, identity }: Pick<ReadingReceipt, 'chargerId' | 'identity'>): string {
  return `${chargerId} ${identity}`;
}

/** Removes receipts that are older than they are kept. */
export async function removeOldReceipts(sql: Sql): Promise<void> {
  await sql`delete from reading_receipts where received_at < now() - ${keptDays} * interval '1 day'`;
}
