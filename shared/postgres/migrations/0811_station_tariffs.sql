-- Default tariffs of stations that calculate costs themselves (OCPP 2.1 I07), for each EVSE.
create table station_tariffs (
  charger_id integer not null references chargers (id) on delete cascade,
  evse integer not null,
  -- Identifier at the station: tariff, version and EVSE.
  tariff_id text not null,
  -- Answer of the station, or NotExpressible.
  status text not null,
  reason text,
  sent_at timestamptz not null,
  primary key (charger_id, evse)
);
