import type { CallOutcome } from '#gateway/frame/errors.ts';
import { type OcppVersion, ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';

const name = 'chargeway_ocpp_call_seconds';

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Calls of one version, action and outcome. */
interface Series {
  labels: { version: OcppVersion; action: string; outcome: CallOutcome };
  /** Number of calls by the bucket that they fall into; the last one has no bound. */
  counts: Float64Array;
  seconds: number;
}

/**
 * Histogram of the time from the receipt of a CALL to its answer. An observation is two look-ups and two additions;
 * the histogram of prom-client sorts and joins its labels each time, which costs as much as parsing a message.
 */
export class CallTimes {
  /** By outcome and action, for each version. */
  readonly #series = Object.fromEntries(
    ocppVersions.map((version) => [version, new Map<string, Map<string, Series>>()]),
  ) as Record<OcppVersion, Map<string, Map<string, Series>>>;

  /** Counts a call; `action` is null when no version knows it. */
  observe(version: OcppVersion, action: string | null, outcome: CallOutcome, seconds: number): void {
    const series = this.#find(version, action ?? 'unknown', outcome);
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.seconds += seconds;
  }

  /** Returns the histogram in the form of prom-client's `getMetricsAsJSON`. */
  collect(): object {
    const values = Object.values(this.#series).flatMap((outcomes) =>
      [...outcomes.values()].flatMap((actions) => [...actions.values()].flatMap(valuesOf)),
    );
    const help = 'Time from the receipt of a CALL to its answer, by version, action and outcome';
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  #find(version: OcppVersion, action: string, outcome: CallOutcome): Series {
    const outcomes = this.#series[version];
    let actions = outcomes.get(outcome);
    if (actions === undefined) outcomes.set(outcome, (actions = new Map()));
    let series = actions.get(action);
    if (series === undefined) {
      const labels = { version, action, outcome };
      actions.set(action, (series = { labels, counts: new Float64Array(bounds.length + 1), seconds: 0 }));
    }
    return series;
  }
}

function valuesOf({ labels, counts, seconds }: Series): object[] {
  let count = 0;
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    count += counts[index] ?? 0;
    return { labels: { ...labels, le }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: seconds, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
