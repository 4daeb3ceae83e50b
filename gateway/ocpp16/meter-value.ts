import { chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import {
  defaultContext,
  type MeterSample,
  signedData,
  toMeterSamples,
} from '#shared/domain/charging/meter-sample.ts';
import { signedValueOf, transportedIn } from '#shared/domain/charging/signed-data.ts';
import { noSignedValues, type SignedMeterValue } from '#shared/domain/charging/signed-meter-value.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type MeterValue = RequestOf<'1.6', 'MeterValues'>['meterValue'][number];

/** Translates MeterValue (OCPP 1.6 §7.33), with the defaults of SampledValue (§7.43). */
export function samplesOf(
  meterValues: readonly MeterValue[],
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): MeterSample[] {
  const samples: MeterSample[] = [];
  for (const { timestamp, sampledValue } of meterValues) {
    const { time, flag, said } = chargerTime(timestamp, receipt);
    const flags = flag === null ? [] : [flag];
    samples.push(
      ...toMeterSamples(sampledValue, { time, receivedAt: receipt.at, saidTime: said, flags }, overrides),
    );
  }
  return samples;
}

/** Returns the signed values among the sampled ones. */
export function signedValuesOf(
  meterValues: readonly MeterValue[],
  receipt: Receipt,
): readonly SignedMeterValue[] {
  let signed: SignedMeterValue[] | null = null;
  for (const { timestamp, sampledValue } of meterValues) {
    for (const { format, value, context = defaultContext } of sampledValue) {
      if (format !== signedData || value === '') continue;
      const transported = transportedIn(String(value));
      if (transported.signedMeterData === '') continue;
      const measuredAt = chargerTime(timestamp, receipt).time;
      signed ??= [];
      signed.push(signedValueOf(transported, { measuredAt, receivedAt: receipt.at, context }));
    }
  }
  return signed ?? noSignedValues;
}
