-- The request that an entry comes from, as the API's own log has it; null: none of ours.
alter table audit_log add request_id text;

-- Newest first, over millions of entries. An operator asks by network, by time, by what was done, or by what it was done to.
drop index audit_log_network_id_id_idx;
drop index audit_log_resource_id_id_idx;
create index on audit_log (at desc, id desc);
create index on audit_log (network_id, at desc, id desc);
create index on audit_log (category, at desc, id desc);
create index on audit_log (action, at desc, id desc);
create index on audit_log (resource_id, at desc, id desc);
