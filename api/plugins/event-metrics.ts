import { Counter, Gauge, type Registry } from 'prom-client';
import type { ApiDeps } from '#api/services/deps.ts';
import { countDeadLetters, sumWebhookBacklogs } from '#shared/postgres/events/webhook-health.ts';
import type { EventStreams } from './event-streams.ts';

/** Minimum time in ms between two reads of the database. */
const readEveryMs = 60_000;

/** Adds the metrics of event streams and webhooks. Those that are read from PostgreSQL are the same at every API process. */
export function measureEvents(
  registry: Registry,
  { sql, deliveries }: Pick<ApiDeps, 'sql' | 'deliveries'>,
  streams: Pick<EventStreams, 'size'>,
): () => Promise<void> {
  const registers = [registry];
  const streamGauge = new Gauge({
    name: 'chargeway_event_streams',
    help: 'Open streams of server-sent events of this process.',
    registers,
  });
  const attempts = new Counter({
    name: 'chargeway_webhook_requests_total',
    help: 'Requests of this process to webhooks, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const waiting = new Gauge({
    name: 'chargeway_webhook_waiting',
    help: 'Events that failed or wait behind one that did, by state of the circuit breaker; the same at every API process.',
    labelNames: ['breaker'],
    registers,
  });
  const lag = new Gauge({
    name: 'chargeway_webhook_lag_seconds',
    help: 'Age of the oldest event that is not delivered, by state of the circuit breaker and of the event; the same at every API process.',
    labelNames: ['breaker', 'state'],
    registers,
  });
  const endpoints = new Gauge({
    name: 'chargeway_webhook_endpoints',
    help: 'Webhooks that receive events, by state of the circuit breaker; the same at every API process.',
    labelNames: ['breaker'],
    registers,
  });
  const deadLetters = new Gauge({
    name: 'chargeway_webhook_dead_letters',
    help: 'Stored dead letters, by reason; the same at every API process.',
    labelNames: ['reason'],
    registers,
  });
  let readAt = Number.NEGATIVE_INFINITY;

  async function readBacklogs(): Promise<void> {
    const backlogs = await sumWebhookBacklogs(sql);
    for (const gauge of [waiting, lag, endpoints]) gauge.reset();
    for (const { breaker, ...sums } of backlogs) {
      waiting.set({ breaker }, sums.waiting);
      lag.set({ breaker, state: 'new' }, sums.newSeconds);
      lag.set({ breaker, state: 'failed' }, sums.waitingSeconds);
      endpoints.set({ breaker }, sums.endpoints);
    }
  }

  async function readDeadLetters(): Promise<void> {
    const counts = await countDeadLetters(sql);
    deadLetters.reset();
    for (const { reason, count } of counts) deadLetters.set({ reason }, count);
  }

  return async () => {
    streamGauge.set(streams.size);
    attempts.reset();
    for (const [outcome, count] of deliveries.byOutcome) attempts.inc({ outcome }, count);
    if (performance.now() - readAt < readEveryMs) return;
    readAt = performance.now();
    await Promise.all([readBacklogs(), readDeadLetters()]);
  };
}
