-- Limits and costs of transactions that stations of OCPP 2.1 keep themselves (E16, I07): what a station was sent, and what it reported.
create table station_transactions (
  session_id bigint primary key references sessions (id) on delete cascade,
  -- Limits that the station was sent; absent parts: none.
  limits_sent jsonb,
  limits_sent_at timestamptz,
  -- Limits that the station reported, its own or as a confirmation.
  limits_reported jsonb,
  limits_reported_at timestamptz,
  limit_reached text,
  limit_reached_at timestamptz,
  -- Tariff by which the station calculates, and its calculation (CostDetailsType).
  tariff_id text,
  cost jsonb,
  cost_at timestamptz
);
