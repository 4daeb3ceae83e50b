import { station } from '#shared/domain/fleet/charger.ts';
import { chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import { registerWh } from '#shared/domain/charging/meter-sample.ts';
import {
  type Authorization,
  type MeterReport,
  type SessionStop,
  stopFlags,
} from '#shared/domain/charging/session.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { idTagInfo } from './id-tag-info.ts';
import { samplesOf, signedValuesOf } from './meter-value.ts';

type Request = RequestOf<'1.6', 'StopTransaction'>;

/** Values for missing fields: a stop is never refused for its time or register (field note 5). */
export const substitutes = { timestamp: '', meterStop: -1 };

/** OCPP 1.6 §4.10 */
export function message(
  request: Request,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
  isPartial: boolean,
): SessionStop {
  const { time, flag } = chargerTime(request.timestamp, receipt);
  return {
    transactionId: String(request.transactionId),
    endedAt: time,
    receivedAt: receipt.at,
    meterStopWh: registerWh(request.meterStop, 'meterStop', overrides),
    // "If the reason is omitted, it is Local" (§6.49).
    reason: request.reason ?? 'Local',
    idToken: request.idTag ?? null,
    flags: stopFlags(flag, isPartial),
  };
}

/** Returns the readings in the stop; their position is that of the transaction, if there is one. */
export function meterReport(
  request: Request,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): MeterReport {
  return {
    position: station,
    transactionId: String(request.transactionId),
    samples: samplesOf(request.transactionData ?? [], receipt, overrides),
    signed: signedValuesOf(request.transactionData ?? [], receipt),
  };
}

/** Includes the state of the token that stopped the session: the charger refreshes its cache from it (1.6 §4.10). */
export function response(authorization: Authorization | null): ResponseOf<'1.6', 'StopTransaction'> {
  return authorization === null ? {} : { idTagInfo: idTagInfo(authorization) };
}
