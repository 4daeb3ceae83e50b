import { noticeTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { positionOf } from './position.ts';

/** Translates OCPP 1.6 §4.9: the status of a connector, or of the whole charger (connector 0). */
export function message(request: RequestOf<'1.6', 'StatusNotification'>, receipt: Receipt): StatusNotice {
  return {
    position: positionOf(request.connectorId),
    status: request.status,
    errorCode: request.errorCode === 'NoError' ? null : request.errorCode,
    vendorErrorCode: request.vendorErrorCode ?? null,
    info: request.info ?? null,
    at: noticeTime(request.timestamp, receipt),
  };
}
