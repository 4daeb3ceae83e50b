import { noticeTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { positionOf } from './position.ts';

/** OCPP 2.0.1 G01 */
export function message(request: RequestOf<'2.0.1', 'StatusNotification'>, receipt: Receipt): StatusNotice {
  return {
    position: positionOf(request.evseId, request.connectorId),
    status: request.connectorStatus,
    errorCode: null,
    vendorErrorCode: null,
    info: null,
    at: noticeTime(request.timestamp, receipt),
  };
}
