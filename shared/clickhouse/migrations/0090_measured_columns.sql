-- Values that were read out of `extra` before. Of readings from before these columns they are made when they are read, in the way of
-- those days: unmarked phases and spellings are null.
alter table meter_samples
  add column if not exists current_sum_a Nullable(Float64)
    default coalesce(nullIf(arraySum(value -> toFloat64OrZero(value),
      mapValues(mapFilter((name, value) -> match(name, '^Current\\.Import(@Outlet)?\\.L[123]( A)?$'), extra))), 0), current_a)
    codec(Delta, ZSTD(1)) after temperature_c,
  add column if not exists current_l1_a Nullable(Float64)
    default toFloat64OrNull(arrayFirst((value, name) -> match(name, '^Current\\.Import(@Outlet)?\\.L1(-N)?( A)?$'), mapValues(extra), mapKeys(extra)))
    codec(Delta, ZSTD(1)),
  add column if not exists current_l2_a Nullable(Float64)
    default toFloat64OrNull(arrayFirst((value, name) -> match(name, '^Current\\.Import(@Outlet)?\\.L2(-N)?( A)?$'), mapValues(extra), mapKeys(extra)))
    codec(Delta, ZSTD(1)),
  add column if not exists current_l3_a Nullable(Float64)
    default toFloat64OrNull(arrayFirst((value, name) -> match(name, '^Current\\.Import(@Outlet)?\\.L3(-N)?( A)?$'), mapValues(extra), mapKeys(extra)))
    codec(Delta, ZSTD(1)),
  add column if not exists voltage_l1_v Nullable(Float64)
    default toFloat64OrNull(arrayFirst((value, name) -> match(name, '^Voltage(@Outlet)?\\.L1(-N)?( V)?$'), mapValues(extra), mapKeys(extra)))
    codec(Delta, ZSTD(1)),
  add column if not exists voltage_l2_v Nullable(Float64)
    default toFloat64OrNull(arrayFirst((value, name) -> match(name, '^Voltage(@Outlet)?\\.L2(-N)?( V)?$'), mapValues(extra), mapKeys(extra)))
    codec(Delta, ZSTD(1)),
  add column if not exists voltage_l3_v Nullable(Float64)
    default toFloat64OrNull(arrayFirst((value, name) -> match(name, '^Voltage(@Outlet)?\\.L3(-N)?( V)?$'), mapValues(extra), mapKeys(extra)))
    codec(Delta, ZSTD(1)),
  -- Energy since the reading before, of chargers that report no register.
  add column if not exists interval_wh Nullable(Float64) codec(Delta, ZSTD(1)),
  -- Origin of the energy (shared/domain/charging/register-origin.ts).
  add column if not exists origin LowCardinality(String) default 'Outlet import'
