import type { Controls } from './dialect.ts';
import { number, type Payload, record, records, text } from './payload.ts';
import type { Answer } from './rpc.ts';
import type { Reading } from './station.ts';

/** Variables of an EVSE that can be monitored, by their values in a reading. */
const variables: Partial<Record<string, (reading: Reading) => number | undefined>> = {
  Power: ({ powerW }) => powerW,
  EnergyImportRegister: ({ energyWh }) => energyWh,
  StateOfCharge: ({ socPercent }) => socPercent,
};

/** Periodic monitor with its stream, which has the same number. */
interface Stream {
  controls: Controls;
  id: number;
  evse: number;
  /** The request that set it. */
  monitor: Payload;
  /** Interval and number of values after which they are sent (PeriodicEventStreamParamsType). */
  params: Payload;
  valueOf: (reading: Reading) => number | undefined;
  waiting: { time: Date; value: number }[];
  sentAt: number;
}

/** Periodic event streams of a station of 2.1 (N11 to N15). Each reading gives one value. */
export class EventStreams {
  readonly #streams = new Map<number, Stream>();
  #lastId = 0;

  /** Accepts monitors with a stream of a known variable, and opens the streams. */
  set(controls: Controls, payload: Payload): Answer {
    const opened: Stream[] = [];
    const setMonitoringResult = records(payload, 'setMonitoringData').map((monitor) => {
      const { type, severity, component, variable } = monitor;
      const evse = number(record(record(monitor, 'component'), 'evse'), 'id') ?? 0;
      const valueOf = variables[text(record(monitor, 'variable'), 'name') ?? ''];
      const result = { type, severity, component, variable };
      if (valueOf === undefined || evse === 0) return { ...result, status: 'UnknownVariable' };
      if (type !== 'Periodic' || monitor.periodicEventStream === undefined)
        return { ...result, status: 'UnsupportedMonitorType' };
      const id = number(monitor, 'id') ?? this.#lastId + 1;
      this.#lastId = Math.max(this.#lastId, id);
      const params = record(monitor, 'periodicEventStream');
      const stream = { controls, id, evse, monitor, params, valueOf, waiting: [], sentAt: Date.now() };
      this.#streams.set(id, stream);
      opened.push(stream);
      return { ...result, status: 'Accepted', id };
    });
    return {
      payload: { setMonitoringResult },
      after: () => {
        for (const stream of opened) {
          const constantStreamData = constantDataOf(stream);
          controls.send({ action: 'OpenPeriodicEventStream', payload: { constantStreamData } });
        }
      },
    };
  }

  /** Removes monitors, and closes their streams after their last values. */
  clear(ids: readonly number[]): Answer {
    const closed = ids.flatMap((id) => this.#streams.get(id) ?? []);
    for (const { id } of closed) this.#streams.delete(id);
    const clearMonitoringResult = ids.map((id) => ({
      id,
      status: closed.some((stream) => stream.id === id) ? 'Accepted' : 'NotFound',
    }));
    return {
      payload: { clearMonitoringResult },
      after: () => {
        for (const stream of closed) {
          send(stream);
          stream.controls.send({ action: 'ClosePeriodicEventStream', payload: { id: stream.id } });
        }
      },
    };
  }

  /** Changes when the values of a stream are sent. */
  adjust(payload: Payload): Answer {
    const stream = this.#streams.get(number(payload, 'id') ?? 0);
    if (stream === undefined) return { payload: { status: 'Rejected' } };
    stream.params = record(payload, 'params');
    return { payload: { status: 'Accepted' } };
  }

  /** Lists the open streams. */
  list(): Answer {
    const constantStreamData = [...this.#streams.values()].map(constantDataOf);
    return { payload: constantStreamData.length === 0 ? {} : { constantStreamData } };
  }

  /** Reports the monitors in one message (N02). */
  report(controls: Controls, requestId: number): Answer {
    if (this.#streams.size === 0) return { payload: { status: 'EmptyResultSet' } };
    const monitor = [...this.#streams.values()].map(({ id, monitor: set }) => ({
      component: set.component,
      variable: set.variable,
      variableMonitoring: [
        {
          id,
          transaction: set.transaction ?? false,
          value: set.value,
          type: set.type,
          severity: set.severity,
          eventNotificationType: 'CustomMonitor',
        },
      ],
    }));
    const generatedAt = new Date().toISOString();
    return {
      payload: { status: 'Accepted' },
      after: () =>
        controls.send({
          action: 'NotifyMonitoringReport',
          payload: { requestId, generatedAt, seqNo: 0, monitor },
        }),
    };
  }

  /** Takes the values of a reading at an EVSE, and sends what is due. */
  take(evse: number, reading: Reading): void {
    for (const stream of this.#streams.values()) {
      const value = stream.evse === evse ? stream.valueOf(reading) : undefined;
      if (value === undefined) continue;
      stream.waiting.push({ time: reading.time, value });
      const interval = number(stream.params, 'interval') ?? Infinity;
      const isFull = stream.waiting.length >= (number(stream.params, 'values') ?? Infinity);
      if (isFull || Date.now() - stream.sentAt >= interval * 1000) send(stream);
    }
  }
}

const constantDataOf = ({ id, params }: Stream) => ({ id, variableMonitoringId: id, params });

/** Sends the waiting values of a stream (N15). */
function send(stream: Stream): void {
  const values = stream.waiting.splice(0);
  stream.sentAt = Date.now();
  const [first] = values;
  if (first === undefined) return;
  const data = values.map(({ time, value }) => ({
    t: (time.getTime() - first.time.getTime()) / 1000,
    v: String(value),
  }));
  const basetime = first.time.toISOString();
  stream.controls.notify({
    action: 'NotifyPeriodicEventStream',
    payload: { id: stream.id, pending: 0, basetime, data },
  });
}
