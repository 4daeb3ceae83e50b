-- Position of a partner among those that authorize cards which no partner has sent us. Null: it is not asked
-- (docs/adr/0023-partners-pushes-and-cards.md).
alter table ocpi_partners add authorization_order integer check (authorization_order > 0);

-- Latest answer of a network's partners about a card that none of them has sent us, for minutes.
create table ocpi_unknown_tokens (
  network_id integer not null references networks (id),
  -- In lower case.
  uid text not null,
  -- Partner that allowed the card: it alone is asked at other chargers. Null: no partner allowed it.
  partner_id integer references ocpi_partners (id),
  -- Charger that the answer is for. A refusal of a partner that knows the card holds there alone. Null: every charger.
  charger_id integer references chargers (id),
  status text not null,
  expires_at timestamptz not null,
  primary key (network_id, uid)
);
create index on ocpi_unknown_tokens (expires_at);
