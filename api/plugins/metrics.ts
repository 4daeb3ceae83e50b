import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Type } from 'typebox';
import type { ApiDeps } from '#api/services/deps.ts';
import { type AdmissionQueue, callerKinds } from './admission-queue.ts';
import type { App } from './app-instance.ts';
import { measureEvents } from './event-metrics.ts';
import type { EventStreams } from './event-streams.ts';
import { measureInstallation } from './installation-metrics.ts';
import { measurePushes } from './push-metrics.ts';

/**
 * Measures every request and serves `/metrics` in the text format of Prometheus: the metrics of the API, followed by
 * those of a gateway in the same process.
 */
export function serveMetrics(
  app: App,
  deps: Pick<ApiDeps, 'sql' | 'deliveries' | 'staleReads'>,
  { streams, admission }: { streams: EventStreams; admission: AdmissionQueue },
  gatewayMetrics: (() => Promise<string>) | undefined,
): void {
  const registry = new Registry();
  // Samples of the event loop wake an idle process: by default a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const reads = [
    measurePushes(registry, deps),
    measureInstallation(registry, deps),
    measureEvents(registry, deps, streams),
  ];
  new Gauge({
    name: 'chargeway_read_replica_age_seconds',
    help: 'Age that the data of the read replica has at most, as this process measured it. 0 without a replica.',
    registers: [registry],
    collect() {
      this.set(deps.staleReads.age() / 1000);
    },
  });
  measureAdmission(registry, admission);
  const duration = new Histogram({
    name: 'chargeway_api_request_duration_seconds',
    help: 'Time to answer an HTTP request, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });

  app.addHook('onResponse', (request, reply, next) => {
    // Label with the pattern of the route: each path would make a series of its own.
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { route, method: request.method, status: String(reply.statusCode) };
    duration.observe(labels, reply.elapsedTime / 1000);
    next();
  });

  const schema = {
    tags: ['service'],
    operationId: 'getMetrics',
    summary: 'Get the metrics in the text format of Prometheus',
    description:
      'Counters of this process since it started, and gauges of the installation. Requires no credentials: do ' +
      'not expose it to the internet.',
    security: [],
    response: {
      200: { description: 'The metrics.', content: { 'text/plain': { schema: Type.String() } } },
    },
  };
  app.route({
    method: 'GET',
    url: '/metrics',
    schema,
    handler: async (request, reply) => {
      // Metrics are most useful during an outage of a store.
      const failed = (error: unknown): void =>
        request.log.warn({ err: error }, 'metrics of the database are outdated or missing');
      await Promise.all(reads.map((read) => read().catch(failed)));
      const own = await registry.metrics();
      // The metrics of the API are served without those of the gateway.
      const others = await gatewayMetrics?.().catch((error: unknown) => {
        request.log.warn({ err: error }, 'the metrics of the gateway are missing');
      });
      return reply.type(registry.contentType).send(others === undefined ? own : `${own}\n${others}`);
    },
  });
}

function measureAdmission(registry: Registry, admission: AdmissionQueue): void {
  const registers = [registry];
  new Gauge({
    name: 'chargeway_api_requests',
    help: 'Requests that are served (running), and requests that wait for one of them to end (waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'running' }, admission.running);
      this.set({ state: 'waiting' }, admission.waiting);
    },
  });
  new Counter({
    name: 'chargeway_api_refused_requests_total',
    help: 'Requests that were refused because the process is overloaded, by caller.',
    labelNames: ['caller'],
    registers,
    collect() {
      this.reset();
      for (const caller of callerKinds) this.inc({ caller }, admission.refused[caller]);
    },
  });
}
