-- Open event streams of stations (OCPP 2.1 N11): the values of one monitor each.
create table event_streams (
  charger_id integer not null references chargers (id) on delete cascade,
  stream_id integer not null,
  monitor_id integer not null,
  -- Seconds and number of values after which the station sends what it has collected.
  interval_seconds integer,
  max_values integer,
  opened_at timestamptz not null,
  primary key (charger_id, stream_id)
);
