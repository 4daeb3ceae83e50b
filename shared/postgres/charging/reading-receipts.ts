import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { isPostgresDown, type Sql } from '#shared/postgres/kernel/client.ts';

/** Hours after the first receipt of a reading in which its repeats are recognized. */
const keptHours = 24;

/** Receipts that one statement removes. */
const rowsAtOnce = 5000;

/** One receipt of a reading. */
interface ReadingReceipt {
  chargerId: number;
  /** A digest of the reading as the charger sent it, as a uuid. */
  identity: string;
  receivedAt: Date;
}

const recordBatch = batchLoader({
  maxKeys: 500,
  isStoreFailure: isPostgresDown,
  deadlineMs: 5000,
  read: recordReceipts,
});

/**
 * Records a receipt and returns the time of the first receipt of the same reading. While PostgreSQL is unavailable that is
 * the time of this receipt: a repeat is then at worst a second row, and the reading is stored.
 */
export async function firstReceipt(sql: Sql, receipt: ReadingReceipt): Promise<Date> {
  try {
    return (await recordBatch(sql, receipt)) ?? receipt.receivedAt;
  } catch (error) {
    if (isPostgresDown(error)) return receipt.receivedAt;
    throw error;
  }
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
    on conflict (charger_id, identity) do update set received_at = case
      when known.received_at < excluded.received_at - make_interval(hours => ${keptHours}) then excluded.received_at
      else known.received_at
    end
    returning charger_id as "chargerId", identity, received_at as "receivedAt"`;
  const first = new Map(rows.map((row) => [keyOf(row), row.receivedAt]));
  return new Map(receipts.map((receipt) => [receipt, first.get(keyOf(receipt)) ?? receipt.receivedAt]));
}

function keyOf({ chargerId, identity }: Pick<ReadingReceipt, 'chargerId' | 'identity'>): string {
  return `${chargerId} ${identity}`;
}

/** Removes receipts that are older than they are kept, until `stopping` is aborted. */
export async function removeOldReceipts(sql: Sql, stopping = AbortSignal.any([])): Promise<void> {
  while (!stopping.aborted && (await removeBatch(sql)) === rowsAtOnce);
}

async function removeBatch(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from reading_receipts where (charger_id, identity) in (
      select charger_id, identity from reading_receipts
      where received_at < now() - make_interval(hours => ${keptHours})
      order by received_at limit ${rowsAtOnce} for update skip locked)`;
  return count;
}
