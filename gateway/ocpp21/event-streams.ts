import {
  handleStreamClosed,
  handleStreamOpened,
  handleStreamValues,
} from '#gateway/handlers/event-streams.ts';
import { serve } from '#gateway/protocol/serve.ts';
import type { EventStream } from '#shared/domain/commands/event-stream.ts';
import { type ChargerTime, chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
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

/** Returns the time of a value so many seconds after its base. An offset that no time has is unreadable. */
function timeAfter(base: Date, seconds: number, receipt: Receipt): ChargerTime {
  const at = new Date(base.getTime() + seconds * 1000);
  return chargerTime(Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString(), receipt);
}

/** N15: the time of a value is an offset in seconds. */
export const notifyStream = serve('2.1', 'NotifyPeriodicEventStream', {
  message({ id, basetime, data }, receipt) {
    const base = chargerTime(basetime, receipt);
    return {
      streamId: id,
      values: data.map(({ t, v }) => {
        const { time, flag } = timeAfter(base.time, t, receipt);
        const timeFlag = flag ?? base.flag;
        return { at: time, timeFlag, saidTime: timeFlag && `${basetime} + ${t}`, value: v };
      }),
    };
  },
  handle: handleStreamValues,
  commit: (commit) => commit,
});
