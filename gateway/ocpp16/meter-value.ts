import { chargerTime } from '#shared/domain/kernel/clock.ts';
import {
  defaultContext,
  defaultMeasurand,
  type MeterSample,
  toMeterSamples,
} from '#shared/domain/charging/meter-sample.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type MeterValue = RequestOf<'1.6', 'MeterValues'>['meterValue'][number];

/** Translates MeterValue (OCPP 1.6 §7.33), with the defaults of SampledValue (§7.43). */
export function samplesOf(
  meterValues: readonly MeterValue[],
  receivedAt: Date,
  overrides: readonly MeterOverride[],
): MeterSample[] {
  const samples: MeterSample[] = [];
  for (const { timestamp, sampledValue } of meterValues) {
    const { time, flag, said } = chargerTime(timestamp, receivedAt);
    const values = sampledValue.map((sampled) => ({
      value: sampled.value,
      measurand: sampled.measurand ?? defaultMeasurand,
      unit: sampled.unit ?? null,
      phase: sampled.phase ?? null,
      location: sampled.location ?? null,
      context: sampled.context ?? defaultContext,
      isSigned: sampled.format === 'SignedData',
    }));
    const flags = flag === null ? [] : [flag];
    samples.push(...toMeterSamples(values, { time, receivedAt, saidTime: said, flags }, overrides));
  }
  return samples;
}
