-- Who did what, from where: rows are added and never changed.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Whose business it is; null: no network's alone.
  network_id integer references networks (id),
  category text not null,
  action text not null,
  resource_id text,
  resource_name text,
  description text not null,
  -- With secrets masked.
  details jsonb not null,
  api_key_id integer references api_keys (id),
  user_id uuid,
  user_name text,
  ip_address inet
);
create index on audit_log (network_id, id desc);
create index on audit_log (resource_id, id desc);

create function forbid_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function forbid_change();
