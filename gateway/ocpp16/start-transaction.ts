import { chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import { registerWh } from '#shared/domain/charging/meter-sample.ts';
import type { Authorization, SessionStart } from '#shared/domain/charging/session.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { idTagInfo } from './id-tag-info.ts';
import { chargingPositionOf } from './position.ts';

type Request = RequestOf<'1.6', 'StartTransaction'>;

/** OCPP 1.6 §4.8 */
export function message(
  request: Request,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): SessionStart {
  const { time, flag } = chargerTime(request.timestamp, receipt);
  return {
    position: chargingPositionOf(request.connectorId),
    idToken: request.idTag,
    transactionId: null,
    startedAt: time,
    receivedAt: receipt.at,
    meterStartWh: registerWh(request.meterStart, 'meterStart', overrides),
    remoteStartId: null,
    ...(request.reservationId !== undefined && { reservationId: request.reservationId }),
    flags: flag === null ? [] : [flag],
  };
}

/**
 * Returns the identity of a start: connector, token, time and meter as the charger sent them, without the message id
 * (rule 2 of the architecture; 1.6 has no transaction id before our answer).
 */
export function startKey({ connectorId, idTag, timestamp, meterStart }: Request): string {
  return `start ${connectorId} ${timestamp} ${meterStart} ${idTag.toLowerCase()}`;
}

export function response(answer: {
  transactionId: string;
  authorization: Authorization;
}): ResponseOf<'1.6', 'StartTransaction'> {
  return { transactionId: Number(answer.transactionId), idTagInfo: idTagInfo(answer.authorization) };
}
