-- The answer to a charger's BootNotification (OCPP 2.0.1 B01 to B03, 1.6 §4.2). A charger that is not Accepted is held.
alter table chargers add column registration text not null default 'Accepted'
  check (registration in ('Accepted', 'Pending', 'Rejected'));
-- The registration of a network's new chargers.
alter table networks add column new_charger_registration text not null default 'Accepted'
  check (new_charger_registration in ('Accepted', 'Pending'));

-- The shards keep the registration in memory, beside the credentials.
drop trigger charger_changed on chargers;
create trigger charger_changed
  after insert or delete or
    update of uid, network_id, security_profile, password_hash, pending_password_hashes, certificate_cn, registration,
      deleted_at
  on chargers for each row execute function announce_charger_change();
