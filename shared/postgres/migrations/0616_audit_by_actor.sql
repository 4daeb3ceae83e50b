-- The audit log by its actor, newest first.
create index audit_log_of_actor on audit_log (user_id, at desc, id desc) where user_id is not null;
