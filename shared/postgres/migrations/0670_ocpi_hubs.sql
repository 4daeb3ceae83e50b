-- Parties for which a roaming hub speaks (docs/adr/0038-ocpi-parties-and-hubs.md). LISTED: those that it was granted. ANY: also each party that no
-- partner of the network was granted. Null: the partner is no hub.
alter table ocpi_partners add hub_parties text check (hub_parties in ('LISTED', 'ANY'));

-- Clients of a hub and the state of their connection to it, as the hub reported them (OCPI 2.2.1 §15.4, ClientInfo).
create table ocpi_hub_clients (
  id integer generated always as identity primary key,
  partner_id integer not null references ocpi_partners (id),
  -- CiStrings: stored in capitals.
  country_code char(2) not null check (country_code = upper(country_code)),
  party_id char(3) not null check (party_id = upper(party_id)),
  -- A party can be connected in several roles.
  role text not null check (length(role) between 1 and 20),
  status text not null check (status in ('CONNECTED', 'OFFLINE', 'PLANNED', 'SUSPENDED')),
  -- By the hub's clock: an older report changes nothing.
  last_updated timestamptz not null,
  constraint ocpi_hub_clients_key unique (partner_id, country_code, party_id, role)
);

-- As ocpi_token_pulls, for the clients of hubs.
create table ocpi_hub_client_pulls (like ocpi_token_pulls including defaults including constraints including indexes);
alter table ocpi_hub_client_pulls add foreign key (partner_id) references ocpi_partners (id);

-- True while the hub is there and cannot reach the party that the push is for: the push is no sign of a fault.
alter table ocpi_pushes add is_deferred boolean not null default false;
