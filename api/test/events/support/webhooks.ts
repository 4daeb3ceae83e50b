import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { WebhookDeliverer } from '#api/jobs/webhook-deliverer.ts';
import { runPeriodically } from '#api/jobs/periodic.ts';
import { type Json, mintKey, type TestApi } from '#api/test/support/fixtures.ts';
import { type OrderPolicy, type WebhookPolicy, webhookPolicy } from '#shared/domain/events/webhook.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignPositions, type NewEvent, recordEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const hurriedOrder = (policy: OrderPolicy): OrderPolicy => ({
  ...policy,
  retriesMs: [60, 60, 60],
  breaker: { failuresToOpen: policy.breaker.failuresToOpen, open: { firstMs: 100, longestMs: 200 } },
});

/** As in production, but in a hurry: four tries of an event. */
export const hurried: WebhookPolicy = {
  ...webhookPolicy,
  everyMs: 50,
  timeoutMs: 20_000,
  leaseMs: 60_000,
  renewEveryMs: 100,
  saveEveryMs: 25,
  pageSize: 50,
  order: {
    object: hurriedOrder(webhookPolicy.order.object),
    endpoint: hurriedOrder(webhookPolicy.order.endpoint),
  },
};

/** The API that a file's tests share, with a network of its own for one of them. */
export async function inNetwork(shared: TestApi): Promise<TestApi & { key: string }> {
  const api = { ...shared, network: await seedNetwork(shared.stores.sql) };
  return { ...api, key: await mintKey(api) };
}

/** A process that delivers, until the test ends or it is stopped. */
export function startDeliverer(t: Pick<Test, 'teardown'>, api: TestApi, policy = hurried): WebhookDeliverer {
  const log = createLogger('test', 'silent');
  const deps = { ...api.deps, log };
  const deliverer = new WebhookDeliverer(deps, policy);
  const search = runPeriodically(deps, { name: 'test', every: 50, run: async () => deliverer.look() });
  t.teardown(async () => {
    await search.stop();
    await deliverer.stop();
  });
  return deliverer;
}

/** Creates a webhook through the API, for the events that are written from now on; returns its id and its secret. */
export async function addWebhook(
  api: TestApi & { key: string },
  payload: Record<string, unknown>,
): Promise<{ id: string; secret: string }> {
  await assignPositions(api.stores.sql);
  const { status, json, text } = await api.call(api.key, {
    method: 'POST',
    url: '/cpms/v1/webhooks',
    payload,
  });
  if (status !== 201) throw new Error(text);
  return json['data'] as unknown as { id: string; secret: string };
}

/** Returns a webhook as its operator sees it. */
export async function webhookOf(api: TestApi & { key: string }, id: string): Promise<Json> {
  return (await api.call(api.key, { url: `/cpms/v1/webhooks/${id}` })).json['data'] ?? {};
}

/** Waits for a state of the delivery. */
export function untilHealth(
  api: TestApi & { key: string },
  id: string,
  what: string,
  isSo: (health: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  return until(what, async () => {
    const health = (await webhookOf(api, id))['health'] as unknown as Record<string, unknown>;
    return isSo(health) && health;
  });
}

/** Writes events of drivers in one transaction: `subject` by `subject`, with a number in their data. */
export async function writeEvents(
  sql: Sql,
  networkId: number,
  subjects: readonly string[],
  changed: Partial<NewEvent> = {},
): Promise<void> {
  const events = subjects.map((subjectUuid, number) => ({
    type: 'driver.updated' as const,
    networkId,
    subjectId: 1,
    subjectUuid,
    data: { number },
    ...changed,
  }));
  await sql.begin((transaction) => recordEvents(transaction, events));
}

export const subjects = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** Casts a value of an answer to a text. */
export const textOf = (json: Json | undefined): string => json as unknown as string;
