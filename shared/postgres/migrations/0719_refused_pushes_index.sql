-- no-transaction
create index concurrently if not exists ocpi_pushes_set_aside on ocpi_pushes (partner_id) where set_aside_at is not null;
