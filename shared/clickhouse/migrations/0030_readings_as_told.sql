-- A reading of a session is kept as it is told, too: to write a thousand of them took the engine as long as to find them (ADR 26).
-- Of readings that are older than this column it is made when they are read, until 0031 has reached them.
alter table meter_samples
  add column if not exists json String materialized if(session_id = toUUID('00000000-0000-0000-0000-000000000000'), '', concat(
    '{"timestamp":"', replaceOne(toString(time), ' ', 'T'), 'Z"',
    -- More than a network's delay from its time: the charger was offline, or its clock is wrong.
    if(abs(toUnixTimestamp64Milli(received_at) - toUnixTimestamp64Milli(time)) <= 60000, '', concat(',"receivedAt":"', replaceOne(toString(received_at), ' ', 'T'), 'Z"')),
    -- What a context is where none is said (OCPP 1.6 §7.43, 2.0.1 SampledValueType).
    if(context = 'Sample.Periodic', '', concat(',"context":', toJSONString(toValidUTF8(context)))),
    -- As `kilo` in `api/routes/schema.ts` does it; what is beyond all numbers is none in JSON.
    ifNull(if(isFinite(energy_wh * 1000), concat(',"energyKwh":', toString(floor(energy_wh * 1000 + 0.5) / 1000000)), ''), ''),
    ifNull(if(isFinite(power_w * 1000), concat(',"powerKw":', toString(floor(power_w * 1000 + 0.5) / 1000000)), ''), ''),
    ifNull(if(isFinite(current_a), concat(',"currentA":', toString(current_a)), ''), ''),
    ifNull(if(isFinite(voltage_v), concat(',"voltageV":', toString(voltage_v)), ''), ''),
    ifNull(if(isFinite(soc_percent), concat(',"socPercent":', toString(soc_percent)), ''), ''),
    ifNull(if(isFinite(temperature_c), concat(',"temperatureC":', toString(temperature_c)), ''), ''),
    -- Each text is made valid by itself: half of a character at its end would take what follows with it.
    if(empty(extra), '', concat(',"extra":', toJSONString(mapApply((k, v) -> (toValidUTF8(k), toValidUTF8(v)), extra)))),
    if(empty(flags), '', concat(',"flags":', toJSONString(arrayMap(flag -> toValidUTF8(flag), flags)))),
    '}'
  )) codec(ZSTD(1)),
  -- Less than Gorilla takes for values of chargers, and sooner read (ADR 26).
  modify column energy_wh codec(Delta, ZSTD(1)),
  modify column power_w codec(Delta, ZSTD(1)),
  modify column current_a codec(Delta, ZSTD(1)),
  modify column voltage_v codec(Delta, ZSTD(1)),
  modify column soc_percent codec(Delta, ZSTD(1)),
  modify column temperature_c codec(Delta, ZSTD(1))
