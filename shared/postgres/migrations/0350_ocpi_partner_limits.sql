-- Requests of a partner within an hour; null: any number.
alter table ocpi_partners add rate_limit_per_hour integer check (rate_limit_per_hour > 0);
