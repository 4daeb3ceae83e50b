-- Entries of the audit log are removed when their retention is over (AUDIT_LOG_DAYS), by the transaction that names itself. They are
-- still never changed, and any other deletion is refused (docs/adr/0080-personal-data-and-retention.md).
create function forbid_change_of_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('chargeway.removes_past_audit_entries', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create or replace trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function forbid_change_of_audit_log();
