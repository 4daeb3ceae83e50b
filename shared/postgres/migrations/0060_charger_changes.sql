-- Announces the uid of a charger whose credentials changed, and `*` when a network's rules did, to the shards that keep
-- them in memory. Heartbeats and states name none of these columns, so they announce nothing.
create function announce_charger_change() returns trigger
language plpgsql as $$
begin
  perform pg_notify('charger_changed', coalesce(new.uid, old.uid));
  if tg_op = 'UPDATE' and new.uid <> old.uid then
    perform pg_notify('charger_changed', old.uid);
  end if;
  return null;
end
$$;

create trigger charger_changed
  after insert or delete or
    update of uid, network_id, security_profile, password_hash, pending_password_hashes, certificate_cn, deleted_at
  on chargers for each row execute function announce_charger_change();

create function announce_network_change() returns trigger
language plpgsql as $$
begin
  perform pg_notify('charger_changed', '*');
  return null;
end
$$;

create trigger network_changed
  after update of allow_unauthenticated_chargers on networks
  for each row execute function announce_network_change();
