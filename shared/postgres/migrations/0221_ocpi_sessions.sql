alter table sessions
  -- The roaming partner whose token or command started it; null: none. It alone sees it.
  add ocpi_partner_id integer references ocpi_partners (id),
  -- The token as it was then: {"country_code", "party_id", "uid", "type", "contract_id"} (OCPI 2.2.1 §10.4.5, CdrToken).
  add ocpi_token jsonb,
  add auth_method text check (auth_method in ('AUTH_REQUEST', 'COMMAND', 'WHITELIST')),
  -- The partner's own reference: of its authorization, its command, or as it told us since.
  add authorization_reference text,
  -- As the partner told us.
  add meter_id text,
  add ocpi_patched_at timestamptz,
  -- {"profile_type", "departure_time", "energy_need", "discharge_allowed"} (§9.3.2).
  add charging_preferences jsonb,
  add check (ocpi_partner_id is null or (ocpi_token is not null and auth_method is not null));
create index sessions_of_partner on sessions (ocpi_partner_id, id) where ocpi_partner_id is not null;
-- Live values move updated_at every few seconds; a BRIN index, unlike a B-tree, lets those updates stay on their page.
create index sessions_updated on sessions using brin (updated_at);
