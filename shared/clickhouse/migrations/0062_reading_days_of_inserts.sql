-- A row per charger and day of an insert, whatever the number of its readings.
create materialized view reading_days_of_inserts to reading_days as
select charger_id, toDate(time) as day, max(now64(3)) as changed_at
from meter_samples
group by charger_id, day
