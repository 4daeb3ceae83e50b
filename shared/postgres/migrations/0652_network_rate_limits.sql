-- Requests of all callers of a network together within a minute. Null: the installation's default, NETWORK_REQUESTS_PER_MINUTE.
alter table networks add rate_limit_per_minute integer check (rate_limit_per_minute > 0);
