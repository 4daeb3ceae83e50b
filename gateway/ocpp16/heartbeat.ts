import type { ResponseOf } from '#shared/ocpp/validators.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';

/** OCPP 1.6 §4.6 */
export function response(answer: { now: Date }): ResponseOf<'1.6', 'Heartbeat'> {
  return { currentTime: wireTime(answer.now) };
}
