-- no-transaction
create index concurrently if not exists remote_starts_failed on remote_starts (requested_at) where status in ('refused', 'expired');
