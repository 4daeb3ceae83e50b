import type { Receipt } from '#shared/domain/kernel/clock.ts';
import { station } from '#shared/domain/fleet/charger.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { MeterReport } from '#shared/domain/charging/session.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { samplesOf, signedValuesOf } from './meter-value.ts';
import { positionOf } from './position.ts';

/** Translates OCPP 2.0.1 J01: readings outside a transaction; those within one come with TransactionEvent. */
export function message(
  request: RequestOf<'2.0.1', 'MeterValues'>,
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): MeterReport {
  return {
    position: positionOf(request.evseId, 1) ?? station,
    transactionId: null,
    samples: samplesOf(request.meterValue, receipt, overrides),
    signed: signedValuesOf(request.meterValue, receipt),
  };
}
