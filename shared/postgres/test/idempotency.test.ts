import { randomBytes, randomUUID } from 'node:crypto';
import t from 'tap';
import { claimRequest, endClaim, forgetRequest } from '#shared/postgres/access/idempotency.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';

const seconds = { claim: 60, keep: 60 };

async function claimed(sql: Sql, hasCause: boolean) {
  const request = { id: randomBytes(32), fingerprint: randomBytes(32), attempt: randomUUID() };
  const first = await claimRequest(sql, request, hasCause, seconds);
  const again = (change = {}) =>
    claimRequest(sql, { ...request, attempt: randomUUID(), ...change }, hasCause, seconds);
  return { request, first, again };
}

void t.test('a request with a cause is claimed again with that cause', async (t) => {
  const { sql } = await testStores(t);
  const { request, first, again } = await claimed(sql, true);
  const cause = request.attempt;
  t.same(first, { claimed: { cause, isRepeat: false } });
  t.match(await again(), { earlier: { isRunning: true, answer: null } });
  await endClaim(sql, request);
  t.match(await again({ fingerprint: randomBytes(32) }), { earlier: { isRunning: false } });
  t.same(await again(), { claimed: { cause, isRepeat: true } });
});

void t.test('a request without a cause is not claimed again', async (t) => {
  const { sql } = await testStores(t);
  const { request, first, again } = await claimed(sql, false);
  t.same(first, { claimed: { cause: null, isRepeat: false } });
  await endClaim(sql, request);
  t.match(await again(), { earlier: { isRunning: false, answer: null } });
});

void t.test('a request that is forgotten can be used again', async (t) => {
  const { sql } = await testStores(t);
  const { request, again } = await claimed(sql, false);
  await forgetRequest(sql, { ...request, attempt: randomUUID() });
  t.match(await again(), { earlier: {} }, 'another attempt does not forget it');
  await forgetRequest(sql, request);
  t.same(await again({ fingerprint: randomBytes(32) }), { claimed: { cause: null, isRepeat: false } });
});
