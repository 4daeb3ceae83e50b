import type { BootAnswer, BootNotice } from '#shared/domain/commands/charger-messages.ts';
import { wireTime } from '#gateway/protocol/wire-time.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** OCPP 2.0.1 B01 */
export function message({ chargingStation, reason }: RequestOf<'2.0.1', 'BootNotification'>): BootNotice {
  return {
    vendor: chargingStation.vendorName,
    model: chargingStation.model,
    serialNumber: chargingStation.serialNumber ?? null,
    firmwareVersion: chargingStation.firmwareVersion ?? null,
    reason,
  };
}

export function response(answer: BootAnswer): ResponseOf<'2.0.1', 'BootNotification'> {
  return {
    status: answer.status,
    currentTime: wireTime(answer.now),
    interval: answer.intervalSeconds,
  };
}
