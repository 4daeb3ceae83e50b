import {
  handleStreamClosed,
  handleStreamOpened,
  handleStreamValues,
} from '#gateway/handlers/event-streams.ts';
import { serve } from '#gateway/protocol/serve.ts';
import type { EventStream } from '#shared/domain/commands/event-stream.ts';
import { chargerTime } from '#shared/domain/kernel/clock.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type ConstantData = RequestOf<'2.1', 'OpenPeriodicEventStream'>['constantStreamData'];

/** Translates ConstantStreamDataType. */
export function streamOf({ id, variableMonitoringId, params }: ConstantData): EventStream {
  return {
    streamId: id,
    monitorId: variableMonitoringId,
    intervalSeconds: params.interval ?? null,
    maxValues: params.values ?? null,
  };
}

/** N11 */
export const openStream = serve('2.1', 'OpenPeriodicEventStream', {
  message: ({ constantStreamData }) => streamOf(constantStreamData),
  handle: handleStreamOpened,
  response: () => ({ status: 'Accepted' as const }),
});

/** N13 */
export const closeStream = serve('2.1', 'ClosePeriodicEventStream', {
  message: ({ id }) => id,
  handle: handleStreamClosed,
});

/** N15: the time of a value is an offset in seconds. */
export const notifyStream = serve('2.1', 'NotifyPeriodicEventStream', {
  message({ id, basetime, data }, receipt) {
    const base = chargerTime(basetime, receipt);
    return {
      streamId: id,
      values: data.map(({ t, v }) => ({
        at: new Date(base.time.getTime() + t * 1000),
        timeFlag: base.flag,
        saidTime: base.said && `${base.said} + ${t}`,
        value: v,
      })),
    };
  },
  handle: handleStreamValues,
  commit: (commit) => commit,
});
