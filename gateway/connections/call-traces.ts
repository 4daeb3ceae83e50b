import type { CallFrame } from '#gateway/frame/frame.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { Span, Tracing } from '#shared/tracing/tracing.ts';

/** Calls of chargers that begin a trace: those of sessions and registration. Readings, heartbeats and statuses have none. */
const tracedActions: ReadonlySet<string> = new Set([
  'Authorize',
  'BootNotification',
  'SignCertificate',
  'StartTransaction',
  'StopTransaction',
  'TransactionEvent',
]);

/** Spans of the calls that chargers make, while tracing is on: from the beginning of service to the answer. */
export class CallTraces {
  readonly #tracing: Tracing;
  readonly #spans = new WeakMap<CallFrame, Span>();

  constructor(tracing: Tracing) {
    this.#tracing = tracing;
  }

  begin(uid: string, version: OcppVersion, call: CallFrame): void {
    const { action, payload } = call;
    if (!tracedActions.has(action)) return;
    // An update of a transaction carries readings.
    if (action === 'TransactionEvent' && (payload as { eventType?: unknown } | null)?.eventType === 'Updated')
      return;
    const attributes = { 'chargeway.charger': uid, 'ocpp.action': action, 'ocpp.version': version };
    this.#spans.set(
      call,
      this.#tracing.start({ name: action, kind: 'server', attributes, parent: undefined }),
    );
  }

  /** Ends the span of a call, if it has one, with the outcome of its answer. */
  end(call: CallFrame, outcome: string): void {
    const span = this.#spans.get(call);
    span?.end({ 'chargeway.outcome': outcome }, outcome === 'result' ? undefined : outcome);
  }
}
