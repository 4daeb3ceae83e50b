import {
  type EventStream,
  measurandOf,
  type StreamNotice,
  type StreamVariable,
} from '#shared/domain/commands/event-stream.ts';
import { type MeterSample, toMeterSamples } from '#shared/domain/charging/meter-sample.ts';
import { noSignedValues } from '#shared/domain/charging/signed-meter-value.ts';
import { station } from '#shared/domain/fleet/charger.ts';
import {
  closeEventStream,
  findEventStream,
  openEventStream,
} from '#shared/postgres/commands/event-streams.statements.ts';
import type { Commit } from '#gateway/wal/commit.ts';
import type { Context } from './context.ts';
import { handleMeterValues } from './meter-values.ts';
import { handleReport } from './report.ts';

/** Context of the readings of a stream: a periodic monitor sampled them. */
const periodic = 'Sample.Periodic';

/** Stores a stream that the charger opens. */
export async function handleStreamOpened(context: Context<'sql'>, stream: EventStream): Promise<void> {
  await openEventStream(context.stores.sql, context.charger.id, stream, context.receivedAt);
}

/** Removes a stream that the charger closes; it has sent all values. */
export async function handleStreamClosed(context: Context<'sql'>, streamId: number): Promise<void> {
  await closeEventStream(context.stores.sql, context.charger.id, streamId);
}

/**
 * Stores the values of a stream: readings where the monitored variable is a measurand, otherwise events of the device model, as of
 * NotifyEvent (N15.FR.03). Values of an unknown stream or monitor are stored as received. A charger sends values once, so readings
 * are kept from the moment on when the write-ahead log has them.
 */
export async function handleStreamValues(
  context: Context<'sql' | 'meter' | 'live' | 'signed' | 'watches' | 'reports'>,
  notice: StreamNotice,
  payload: unknown,
): Promise<Commit | null> {
  const { charger, stores } = context;
  const stream = await findEventStream(stores.sql, charger.id, notice.streamId);
  if (stream === null || stream.variable === null) {
    const report = { action: 'NotifyPeriodicEventStream', requestId: null, part: null, payload };
    await handleReport(context, { type: 'notification', ...report });
    return null;
  }
  const { evse, connector } = stream.variable;
  const samples = samplesOf(context, stream.variable, notice);
  if (samples === null) {
    await handleReport(context, {
      type: 'device-events',
      events: eventsOf({ ...stream, variable: stream.variable }, notice),
    });
    return null;
  }
  const position = evse === 0 ? station : { evse, connector: Math.max(1, connector) };
  return handleMeterValues(context, { position, transactionId: null, samples, signed: noSignedValues });
}

/** Open stream with its monitor. */
type KnownStream = Pick<EventStream, 'monitorId'> & {
  variable: StreamVariable;
  notificationType: string | null;
};

function samplesOf(
  { receivedAt, meterOverrides }: Context,
  variable: StreamVariable,
  { values }: StreamNotice,
): MeterSample[] | null {
  const read = measurandOf(variable);
  if (read === null) return null;
  return values.flatMap(({ at, timeFlag, saidTime, value }) =>
    toMeterSamples(
      [{ ...read, value, context: periodic }],
      { time: at, receivedAt, saidTime, flags: timeFlag === null ? [] : [timeFlag] },
      meterOverrides,
    ),
  );
}

function eventsOf(
  { monitorId, notificationType, variable: { unit: _unit, ...place } }: KnownStream,
  { values }: StreamNotice,
) {
  return values.map(({ at, timeFlag, value }) => ({
    ...place,
    // The values of a stream have no number.
    eventId: monitorId,
    occurredAt: at,
    timeFlag,
    trigger: 'Periodic',
    notificationType: notificationType ?? 'CustomMonitor',
    actualValue: value,
    cause: null,
    techCode: null,
    techInfo: null,
    cleared: null,
    transactionId: null,
    monitorId,
  }));
}
