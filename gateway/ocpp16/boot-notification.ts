import type { BootAnswer, BootNotice } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';

/** OCPP 1.6 §4.2 */
export function message(request: RequestOf<'1.6', 'BootNotification'>): BootNotice {
  return {
    vendor: request.chargePointVendor,
    model: request.chargePointModel,
    serialNumber: request.chargePointSerialNumber ?? request.chargeBoxSerialNumber ?? null,
    firmwareVersion: request.firmwareVersion ?? null,
    reason: null,
  };
}

export function response(answer: BootAnswer): ResponseOf<'1.6', 'BootNotification'> {
  return {
    status: answer.status,
    currentTime: wireTime(answer.now),
    interval: answer.intervalSeconds,
  };
}
