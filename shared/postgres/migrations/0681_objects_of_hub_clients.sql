-- Lists of sessions and CDRs of one party behind a hub (docs/adr/0088-hubs.md): those of `ofClient` in shared/postgres/roaming.
-- safe: holds back writes of sessions while it reads them, some seconds for a million
create index sessions_of_hub_client on sessions (ocpi_partner_id, (ocpi_token ->> 'country_code'), (ocpi_token ->> 'party_id'), id)
  where ocpi_partner_id is not null;
-- safe: holds back new CDRs, which a job makes, while it reads them, some seconds for a million
create index cdrs_of_hub_client on cdrs
  (partner_id, (document -> 'cdr_token' ->> 'country_code'), (document -> 'cdr_token' ->> 'party_id'), id);
