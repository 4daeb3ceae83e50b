-- no-transaction
-- Lists of sessions of one party behind a hub (docs/adr/0038-ocpi-parties-and-hubs.md): those of `ofClient` in shared/postgres/roaming.
create index concurrently if not exists sessions_of_hub_client on sessions
  (ocpi_partner_id, (ocpi_token ->> 'country_code'), (ocpi_token ->> 'party_id'), id)
  where ocpi_partner_id is not null;
