-- The device model of OCPP 2.0.1 (part 1, chapter 4) as each charger reports it. Names are '' and numbers 0 where
-- the standard leaves them out: component without instance, the station as a whole.
create table device_variables (
  charger_id integer not null references chargers (id),
  component text not null,
  component_instance text not null,
  evse integer not null,
  connector integer not null,
  variable text not null,
  variable_instance text not null,
  attribute text not null check (attribute in ('Actual', 'Target', 'MinSet', 'MaxSet')),
  -- Null: write-only, or not told.
  value text,
  mutability text not null,
  persistent boolean not null,
  constant boolean not null,
  unit text,
  data_type text,
  min_limit double precision,
  max_limit double precision,
  values_list text,
  supports_monitoring boolean,
  reported_at timestamptz not null,
  primary key (charger_id, component, component_instance, evse, connector, variable, variable_instance, attribute)
);

-- Monitors that are set on variables (2.0.1 N); ids are the charger's.
create table variable_monitors (
  charger_id integer not null references chargers (id),
  monitor_id integer not null,
  component text not null,
  component_instance text not null,
  evse integer not null,
  connector integer not null,
  variable text not null,
  variable_instance text not null,
  type text not null,
  value double precision not null,
  severity integer not null,
  transaction_only boolean not null,
  reported_at timestamptz not null,
  primary key (charger_id, monitor_id)
);

-- What monitors and hard-wired notifications told (NotifyEvent).
create table device_events (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  event_id bigint not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  -- What was wrong with the time that the charger said; null: nothing.
  time_flag text,
  trigger text not null,
  notification_type text not null,
  component text not null,
  component_instance text not null,
  evse integer not null,
  connector integer not null,
  variable text not null,
  variable_instance text not null,
  actual_value text not null,
  cause integer,
  tech_code text,
  tech_info text,
  cleared boolean,
  transaction_id text,
  monitor_id integer,
  -- Event ids begin again when a charger restarts.
  unique (charger_id, event_id, occurred_at)
);
create index on device_events (charger_id, occurred_at desc);

-- Reports that come in parts, and whether all of them are here. The rows they brought are stored part by part.
create table charger_reports (
  charger_id integer not null references chargers (id),
  action text not null,
  request_id integer not null,
  generated_at timestamptz not null,
  received_parts integer[] not null,
  -- seqNo of the part that said no more follow; null: it is not here yet.
  last_part integer,
  updated_at timestamptz not null,
  is_complete boolean not null generated always as (
    last_part is not null and cardinality(received_parts) > last_part) stored,
  primary key (charger_id, action, request_id)
);
