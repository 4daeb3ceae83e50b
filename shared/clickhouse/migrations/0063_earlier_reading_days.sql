-- The days of readings from before the view. Two columns of all readings: about 10 s for a billion.
insert into reading_days (charger_id, day, changed_at)
select charger_id, toDate(time) as day, toDateTime64(0, 3, 'UTC') + toIntervalSecond(1) as changed_at
from meter_samples
group by charger_id, day
