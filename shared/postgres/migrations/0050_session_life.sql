-- chargeway's own part of a tariff beside OCPI's elements: {"price_per_minute": "0.10", "grace_minutes": 10, "vat": "21"}.
alter table tariffs add idle jsonb;

alter table sessions
  -- What the session may use; null: as much as it likes.
  add max_cost_minor bigint check (max_cost_minor > 0),
  add max_duration_s integer check (max_duration_s > 0),
  add max_energy_wh double precision check (max_energy_wh > 0),
  -- The limit that it passed, and how often and when next the charger is asked to stop.
  add limit_passed text check (limit_passed in ('MaxCost', 'MaxDuration', 'MaxEnergy')),
  add stop_attempts integer not null default 0,
  add stop_next_at timestamptz,
  add peak_power_w double precision,
  -- How the register was counted so far: shared/domain/register-count.ts. Null: from meter_start_wh alone.
  add register_count jsonb,
  -- Whether energy was seen to flow: what waits before its first charge is not idle.
  add has_charged boolean not null default false,
  add charging_ended_at timestamptz,
  -- The idle period that is under way; it ends with the session, where nothing ends it before.
  add idle_started_at timestamptz,
  add idle_cause text,
  -- The idle periods before it: [{"from": ..., "to": ..., "cause": ...}].
  add idle_periods jsonb not null default '[]',
  -- Since when the readings say that no power flows.
  add no_power_since timestamptz,
  -- The newest of what idle and free were told from.
  add activity_at timestamptz,
  -- Since when its connector is reported Available while the stop is missing.
  add free_since timestamptz;

-- What the watchdog reads every few seconds.
create index sessions_limited on sessions (id)
  where status in ('ACTIVE', 'STOPPING')
    and (max_cost_minor is not null or max_duration_s is not null or max_energy_wh is not null);
create index sessions_running on sessions (connector_id, started_at) where status in ('ACTIVE', 'STOPPING');

-- Limits that came with a remote start, until the session that it leads to takes them.
create table pending_session_limits (
  id bigint generated always as identity primary key,
  charger_id integer not null references chargers (id),
  id_token text not null,
  -- Null: wherever the charger likes.
  evse integer,
  -- What a 2.0.1 charger names the remote start by; 1.6 has the token alone.
  remote_start_id integer not null,
  max_cost_minor bigint check (max_cost_minor > 0),
  max_duration_s integer check (max_duration_s > 0),
  max_energy_wh double precision check (max_energy_wh > 0),
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on pending_session_limits (charger_id);
