-- no-transaction
-- As sessions_of_hub_client (0681), for lists of CDRs.
create index concurrently if not exists cdrs_of_hub_client on cdrs
  (partner_id, (document -> 'cdr_token' ->> 'country_code'), (document -> 'cdr_token' ->> 'party_id'), id);
