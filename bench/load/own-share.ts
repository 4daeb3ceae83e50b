import type { CommandAnswer } from '#shared/simulator/counters.ts';
import { Latencies } from './latencies.ts';

/** Command that the API answered. */
export interface AnsweredCommand {
  uid: string;
  /** Time from its sending to the answer of the API, in ms. */
  ms: number;
  /** Time of sending, by `performance.now`. */
  sentAt: number;
}

/**
 * Returns the time of each command without the time that its charger took. A charger answers its commands in the order in which
 * they were sent; commands without an answer of the charger are left out.
 */
export function withoutAnswerTimes(
  commands: readonly AnsweredCommand[],
  answers: readonly CommandAnswer[],
): Latencies {
  const byCharger = Map.groupBy(answers, ({ uid }) => uid);
  const latency = new Latencies();
  const next = new Map<string, number>();
  for (const { uid, ms } of commands.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const index = next.get(uid) ?? 0;
    next.set(uid, index + 1);
    const answer = byCharger.get(uid)?.[index];
    if (answer !== undefined) latency.record(ms - answer.ms);
  }
  return latency;
}
