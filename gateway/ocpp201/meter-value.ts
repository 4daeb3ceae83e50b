import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { chargerTime, type Receipt } from '#shared/domain/kernel/clock.ts';
import {
  defaultContext,
  type MeterSample,
  type SampledValue,
  signedData,
  toMeterSamples,
} from '#shared/domain/charging/meter-sample.ts';
import { signedValueOf } from '#shared/domain/charging/signed-data.ts';
import { noSignedValues, type SignedMeterValue } from '#shared/domain/charging/signed-meter-value.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type MeterValue = RequestOf<DeviceModelVersion, 'MeterValues'>['meterValue'][number];

/** Translates MeterValueType of OCPP 2.0.1. A value is multiplied by 10 to the power of its unit's multiplier. */
export function samplesOf(
  meterValues: readonly MeterValue[],
  receipt: Receipt,
  overrides: readonly MeterOverride[],
): MeterSample[] {
  const samples: MeterSample[] = [];
  for (const { timestamp, sampledValue } of meterValues) {
    const { time, flag, said } = chargerTime(timestamp, receipt);
    const values: SampledValue[] = [];
    for (const sampled of sampledValue) addValues(values, sampled);
    const flags = flag === null ? [] : [flag];
    samples.push(
      ...toMeterSamples(values, { time, receivedAt: receipt.at, saidTime: said, flags }, overrides),
    );
  }
  return samples;
}

/** Adds the value of a sample. Signed data accompanies it (SignedMeterValueType), and is stored too. */
function addValues(values: SampledValue[], sampled: MeterValue['sampledValue'][number]): void {
  const { value, measurand, phase, location, context, signedMeterValue, unitOfMeasure } = sampled;
  const multiplier = unitOfMeasure?.multiplier ?? 0;
  const plain: SampledValue = {
    value: multiplier === 0 ? value : value * 10 ** multiplier,
    measurand,
    unit: unitOfMeasure?.unit,
    phase,
    location,
    context,
  };
  values.push(plain);
  if (signedMeterValue !== undefined) {
    values.push({ ...plain, value: JSON.stringify(signedMeterValue), format: signedData });
  }
}

/** Returns the signed values alongside the sampled ones. */
export function signedValuesOf(
  meterValues: readonly MeterValue[],
  receipt: Receipt,
): readonly SignedMeterValue[] {
  let signed: SignedMeterValue[] | null = null;
  for (const { timestamp, sampledValue } of meterValues) {
    for (const { signedMeterValue, context = defaultContext } of sampledValue) {
      if (signedMeterValue === undefined || signedMeterValue.signedMeterData === '') continue;
      const measuredAt = chargerTime(timestamp, receipt).time;
      signed ??= [];
      signed.push(signedValueOf(signedMeterValue, { measuredAt, receivedAt: receipt.at, context }));
    }
  }
  return signed ?? noSignedValues;
}
