import type { Logger } from '#shared/log/log.ts';

/** Values that describe a span; undefined ones are left out. */
type SpanAttributes = Record<string, string | number | undefined>;

/** Operation of a trace. */
export interface Span {
  readonly traceId: string;
  /** W3C `traceparent` by which a span of another process becomes a child of this one. */
  readonly traceparent: string;
  /** Ends the span; `failure` marks it as failed and states why. */
  end(attributes?: SpanAttributes, failure?: string): void;
}

export interface SpanStart {
  name: string;
  kind: 'server' | 'client';
  attributes: SpanAttributes;
  /** `traceparent` of the parent. Without a valid one the span begins a trace, which may be left out by sampling. */
  parent: string | undefined;
}

/** Tracing of this thread. */
export interface Tracing {
  start(start: SpanStart): Span;
  /** Runs `work` so that `current` returns the span, also in what `work` awaits. */
  run<T>(span: Span, work: () => T): T;
  current(): Span | undefined;
  /** Exports what is left, for some seconds at most. */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** Share of new traces that is exported, 0 to 1. */
  readonly sampleRatio: number;
}

let opened: Tracing | null = null;

/** Returns the tracing of this thread; null while tracing is off. */
export function tracing(): Tracing | null {
  return opened;
}

/**
 * Starts tracing in this thread, before what it traces. Without settings nothing is loaded: the packages take 4 MB of heap
 * for each thread.
 */
export async function startTracing(
  settings: TracingSettings | null,
  service: string,
  log: Logger,
): Promise<void> {
  if (settings === null) return;
  const { openTracing } = await import('./open-telemetry.ts');
  opened = openTracing(settings, service, log);
}

/** Exports the spans that ended, and ends tracing in this thread. */
export async function stopTracing(): Promise<void> {
  const closing = opened;
  opened = null;
  await closing?.close();
}
