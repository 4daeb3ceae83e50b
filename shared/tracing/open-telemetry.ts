import { AsyncLocalStorage } from 'node:async_hooks';
import {
  diag,
  DiagLogLevel,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { Span, SpanStart, Tracing, TracingSettings } from './tracing.ts';

/** Time in ms for the last export: an unavailable collector must not delay the end of a process. */
const closeWithinMs = 3000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

const ignored = (): void => undefined;

/** Opens tracing by the SDK of OpenTelemetry, whose exporter reads its variables (`OTEL_EXPORTER_OTLP_…`) itself. */
export function openTracing({ sampleRatio }: TracingSettings, service: string, log: Logger): Tracing {
  const outages = new OutageLog(log, { failed: 'spans cannot be exported; they are dropped' });
  const failed = (message: string): void => outages.failed(new Error(message));
  const logger = { error: failed, warn: failed, info: ignored, debug: ignored, verbose: ignored };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('chargeway');
  const active = new AsyncLocalStorage<Span>();
  return {
    start({ name, kind, attributes, parent }: SpanStart): Span {
      const remote = parent === undefined ? null : parseTraceParent(parent);
      const context =
        remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
      return spanOf(tracer.startSpan(name, { kind: kinds[kind], attributes }, context));
    },
    run: (span, work) => active.run(span, work),
    current: () => active.getStore(),
    close: () => within(provider.shutdown(), closeWithinMs, 'the export of spans').catch(ignored),
  };
}

function spanOf(span: OpenSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end(attributes = {}, failure) {
      span.setAttributes(attributes);
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end();
    },
  };
}
