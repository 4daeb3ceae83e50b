import type { InjectOptions } from 'fastify';
import type { Transaction } from '#shared/postgres/client.ts';
import { until } from '#shared/testing/until.ts';
import type { Answer, TestApi } from './fixtures.ts';

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
    await until('the request waits or is answered', async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return isAnswered || waiting.length > 0;
    });
  });
  if (answer === undefined) throw new Error('nothing was asked');
  return answer;
}
