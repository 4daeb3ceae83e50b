import type { InjectOptions } from 'fastify';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { until } from '#shared/testing/until.ts';
import type { Answer, TestApi } from './fixtures.ts';

/** Resolves when so many statements wait for a lock that another one holds. */
export async function untilBlocked(sql: Sql, count: number): Promise<void> {
  await until(`${count} wait for a lock`, async () => (await countBlocked(sql)) === count);
}

async function countBlocked(sql: Sql): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length;
}

/**
 * Sends a request while a change is made that is committed only when the request waits for it, or was answered without
 * waiting: what the request read of before is then old.
 */
export async function callMeanwhile(
  api: TestApi,
  change: (transaction: Transaction) => Promise<unknown>,
  key: string | null,
  request: InjectOptions,
): Promise<Answer> {
  const { sql } = api.stores;
  let answer: Promise<Answer> | undefined;
  await sql.begin(async (transaction) => {
    await change(transaction);
    let isAnswered = false;
    answer = api.call(key, request).finally(() => (isAnswered = true));
    await until('the request waits or is answered', async () => isAnswered || (await countBlocked(sql)) > 0);
  });
  if (answer === undefined) throw new Error('nothing was asked');
  return answer;
}
