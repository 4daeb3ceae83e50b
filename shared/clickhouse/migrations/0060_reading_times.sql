-- Exports read the readings of some hours of a month, by their time or their receipt. The sorting key begins with charger and
-- session, so that a granule has the readings of a few hours.
alter table meter_samples
  add index by_time time type minmax granularity 1,
  add index by_receipt received_at type minmax granularity 1
