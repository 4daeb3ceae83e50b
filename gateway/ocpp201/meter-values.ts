import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { handleMeterValues } from '#gateway/handlers/meter-values.ts';
import { lastReading } from '#gateway/protocol/last-reading.ts';
import { serve } from '#gateway/protocol/serve.ts';
import { station } from '#shared/domain/fleet/charger.ts';
import { samplesOf, signedValuesOf } from './meter-value.ts';
import { positionOf } from './position.ts';

/** OCPP 2.0.1 J01: readings outside a transaction; those within one come with TransactionEvent. */
export const meterValues = (version: DeviceModelVersion) =>
  serve(version, 'MeterValues', {
    message: ({ evseId, meterValue }, receipt, overrides) => ({
      position: positionOf(evseId, 1) ?? station,
      transactionId: null,
      samples: samplesOf(meterValue, receipt, overrides),
      signed: signedValuesOf(meterValue, receipt),
    }),
    timed: lastReading,
    substitutes: {},
    handle: handleMeterValues,
    commit: (commit) => commit,
  });
