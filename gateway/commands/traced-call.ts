import type { ConnectedCharger } from '#gateway/connections/registry.ts';
import { type Span, tracing } from '#shared/tracing/tracing.ts';

/** Sends a CALL in a child span of its command, from the queue of the connection to the answer. Without a span it only sends. */
export async function traceCall(
  command: Span | null,
  { charger, protocol }: Pick<ConnectedCharger, 'charger' | 'protocol'>,
  action: string,
  send: () => Promise<unknown>,
): Promise<unknown> {
  if (command === null) return send();
  const span = tracing()?.start({
    name: action,
    kind: 'client',
    attributes: { 'chargeway.charger': charger.uid, 'ocpp.action': action, 'ocpp.version': protocol.version },
    parent: command.traceparent,
  });
  try {
    const answer = await send();
    span?.end({ 'ocpp.status': statusOf(answer) });
    return answer;
  } catch (error) {
    span?.end({}, error instanceof Error ? error.name : 'no answer');
    throw error;
  }
}

function statusOf(answer: unknown): string | undefined {
  const status = (answer as { status?: unknown } | null)?.status;
  return typeof status === 'string' ? status : undefined;
}
