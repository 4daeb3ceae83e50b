import { wireTime } from '#gateway/protocol/wire-time.ts';
import type { ResponseOf } from '#shared/ocpp/validators.ts';

/** OCPP 2.0.1 G02 */
export function response(answer: { now: Date }): ResponseOf<'2.0.1', 'Heartbeat'> {
  return { currentTime: wireTime(answer.now) };
}
