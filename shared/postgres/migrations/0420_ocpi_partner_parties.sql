-- Parties that an operator granted to a roaming partner: it registers, and writes tokens, as these alone.
create table ocpi_partner_parties (
  network_id integer not null references networks (id),
  -- CiStrings: stored in capitals, so that the key compares them without regard to case.
  country_code char(2) not null check (country_code = upper(country_code)),
  party_id char(3) not null check (party_id = upper(party_id)),
  partner_id integer not null references ocpi_partners (id),
  constraint ocpi_partner_parties_key primary key (network_id, country_code, party_id)
);
create index on ocpi_partner_parties (partner_id);

-- Existing partners keep the parties that they registered with. The party that a partner is known by goes first, then the
-- older partner; the network's own party is granted to none.
with claimed as (
  select network_id, upper(country_code::text) as country_code, upper(party_id::text) as party_id, id, 0 as rank
  from ocpi_partners where deleted_at is null
  union all
  select p.network_id, upper(r ->> 'countryCode'), upper(r ->> 'partyId'), p.id, 1
  from ocpi_partners p cross join jsonb_array_elements(p.roles) r where p.deleted_at is null
)
insert into ocpi_partner_parties (network_id, country_code, party_id, partner_id)
select distinct on (c.network_id, c.country_code, c.party_id) c.network_id, c.country_code, c.party_id, c.id
from claimed c join networks n on n.id = c.network_id
where c.country_code is not null and c.party_id is not null
  and (c.country_code, c.party_id) <> (upper(n.country_code), upper(n.party_id))
order by c.network_id, c.country_code, c.party_id, c.rank, c.id;

update ocpi_partners p set roles = coalesce((
  select jsonb_agg(r order by position) from jsonb_array_elements(p.roles) with ordinality x(r, position)
  where exists (
    select from ocpi_partner_parties g
    where g.partner_id = p.id and g.country_code = upper(r ->> 'countryCode') and g.party_id = upper(r ->> 'partyId'))
), '[]')
where deleted_at is null;
update ocpi_partners p set country_code = null, party_id = null
where deleted_at is null and party_id is not null and not exists (
  select from ocpi_partner_parties g
  where g.partner_id = p.id and g.country_code = upper(p.country_code) and g.party_id = upper(p.party_id));

-- The latest credentials of a partner that named parties which were not granted: an alert until an operator resolves it.
alter table ocpi_partners
  add refused_at timestamptz,
  -- Such as {DE-ABC}.
  add refused_parties text[];
create index ocpi_partners_refused on ocpi_partners (refused_at) where refused_at is not null;

alter table alerts drop constraint alerts_resource_type_check;
alter table alerts add constraint alerts_resource_type_check
  check (resource_type in ('charger', 'connector', 'session', 'gateway', 'ocpi-partner', 'wallet'));
