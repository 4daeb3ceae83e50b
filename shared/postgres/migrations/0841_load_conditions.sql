-- Conditions of sites that alerts report (docs/alerts.md). Null: the condition is not met.
-- Charging profiles from elsewhere were cleared at the station.
alter table load_connectors add column profiles_cleared_at timestamptz,
  -- Its station confirms no limits.
  add column unconfirmed_since timestamptz;
alter table load_circuits add column overloaded_since timestamptz,
  add column meter_lost_since timestamptz;

-- safe: few rows. Clearing the stations of a site that is under control would leave its cars without a limit.
update load_connectors p set profiles_cleared_at = now() from load_sites s where s.id = p.site_id and s.is_enabled;

-- safe: a wider constraint replaces it in this transaction
alter table alerts drop constraint alerts_resource_type_check;
alter table alerts add constraint alerts_resource_type_check
  check (resource_type in ('charger', 'connector', 'session', 'gateway', 'ocpi-partner', 'wallet', 'location', 'certificate',
    'api-key', 'threshold', 'load-site')) not valid;
