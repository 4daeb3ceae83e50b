-- no-transaction
create index concurrently if not exists wallets_owing on wallets (network_id) where owed_minor > 0;
