-- One trigger for each rule. Statements that change no row are refused too, as on the other append-only tables.
drop trigger invoice_immutable on invoices;
drop trigger invoices_immutable on invoices;
create trigger invoices_are_append_only before update or delete or truncate on invoices
  for each statement execute function refuse_invoice_change();
drop trigger cdr_immutable on cdrs;
drop trigger cdrs_immutable on cdrs;
create trigger cdrs_are_append_only before update or delete or truncate on cdrs
  for each statement execute function refuse_cdr_change();

-- A wallet begins empty, and only the trigger on the ledger's entries changes its balances.
drop trigger new_wallets_are_empty on wallets;
drop trigger balances_are_posted on wallets;
create or replace function forbid_unposted_balance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if (new.available_minor, new.held_minor, new.owed_minor) = (0, 0, 0) then return new; end if;
  -- 1: this trigger itself.
  elsif pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'balances of wallets change by ledger entries alone' using errcode = 'insufficient_privilege';
end
$$;
create trigger balances_are_posted before insert or update of available_minor, held_minor, owed_minor on wallets
  for each row execute function forbid_unposted_balance();

-- The modules that write networks, models, manufacturers and overrides announce the change themselves.
drop trigger network_changed on networks;
drop trigger meter_overrides_changed on meter_overrides;
drop trigger meter_overrides_changed on charger_models;
drop trigger meter_overrides_changed on manufacturers;
drop trigger meter_overrides_changed on chargers;
drop function announce_network_change(), announce_meter_overrides();

create or replace function announce_charger_change() returns trigger
language plpgsql as $$
begin
  perform pg_notify('charger_changed', coalesce(new.uid, old.uid));
  if tg_op = 'UPDATE' then
    if new.uid <> old.uid then perform pg_notify('charger_changed', old.uid); end if;
    if new.model_id is distinct from old.model_id then perform pg_notify('meter_overrides_changed', ''); end if;
  end if;
  return null;
end
$$;
drop trigger charger_changed on chargers;
create trigger charger_changed
  after insert or delete or
    update of uid, network_id, security_profile, password_hash, pending_password_hashes, certificate_cn, registration,
      model_id, deleted_at
  on chargers for each row execute function announce_charger_change();
