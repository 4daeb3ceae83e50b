import type { Receipt } from '#shared/domain/kernel/clock.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { MeterReport } from '#shared/domain/charging/session.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { samplesOf, signedValuesOf } from './meter-value.ts';
import { readingPositionOf } from './position.ts';

/** OCPP 1.6 §4.7 */
export function message(
  request: RequestOf<'1.6', 'MeterValues'>,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): MeterReport {
  return {
    position: readingPositionOf(request.connectorId),
    transactionId: request.transactionId === undefined ? null : String(request.transactionId),
    samples: samplesOf(request.meterValue, receipt, overrides),
    signed: signedValuesOf(request.meterValue, receipt),
  };
}
