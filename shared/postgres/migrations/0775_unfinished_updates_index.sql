-- no-transaction
create index concurrently if not exists firmware_updates_unfinished on firmware_updates (charger_id) where outcome is distinct from 'succeeded';
