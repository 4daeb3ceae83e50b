-- A foreign key can refer to columns of a unique constraint, so an update of them conflicts with the foreign keys of every new push of
-- the partner: a registration and the queueing of pushes waited for each other (docs/adr/0023-partners-pushes-and-cards.md). No foreign key can
-- refer to a partial index.
-- safe: a partner is a row, and there are few
create unique index ocpi_partners_token on ocpi_partners (token_hash) where token_hash is not null;
-- safe: the index above has the same rule, and no statement names the constraint
alter table ocpi_partners drop constraint ocpi_partners_token_hash_key;
