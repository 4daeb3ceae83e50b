-- Charge detail records of roaming partners (OCPI 2.2.1 §10): sealed. What was wrong is credited, and told anew.
create table cdrs (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  partner_id integer not null references ocpi_partners (id),
  session_id bigint not null references sessions (id),
  -- Of the session, whose ends are counted: the one that this tells.
  session_version integer not null,
  -- The CDR's id in OCPI: the uuid, of a credit that of what it credits with -C at its end.
  ocpi_id text not null unique check (length(ocpi_id) <= 39),
  -- Null: it is no credit. A record is credited once.
  credits_id bigint unique references cdrs (id),
  currency char(3) not null,
  -- Minor units; of a credit negative.
  total_excl_vat_minor bigint not null,
  total_incl_vat_minor bigint not null,
  -- The CDR object as partners get it, in the standard's names.
  document jsonb not null,
  -- OCPI's last_updated, which of a CDR is that of its making.
  created_at timestamptz not null default now()
);
create index on cdrs (partner_id, id);
create index on cdrs (partner_id, created_at, id);
create index on cdrs (session_id, id);

create function refuse_cdr_change() returns trigger language plpgsql as $$
begin
  raise exception 'a CDR is never changed: it is credited';
end
$$;
create trigger cdr_immutable before update or delete on cdrs for each row execute function refuse_cdr_change();
create trigger cdrs_immutable before truncate on cdrs for each statement execute function refuse_cdr_change();

-- Sessions of partners that have ended or were put right since: their CDRs are to be made. In the transaction of the change,
-- so that none is lost; removed in that of the CDR.
create table cdr_marks (
  id bigint generated always as identity primary key,
  session_id bigint not null
);

create function mark_cdr() returns trigger language plpgsql as $$
begin
  insert into cdr_marks (session_id) values (new.id);
  return null;
end
$$;
-- Without a price there is no CDR: one that waits for it is marked when it comes.
create trigger cdr_due_changed after update on sessions
  for each row when (new.status = 'COMPLETED' and new.ocpi_partner_id is not null and new.cost is not null
    and (old.status, old.version, old.ocpi_partner_id, old.cost)
      is distinct from (new.status, new.version, new.ocpi_partner_id, new.cost))
  execute function mark_cdr();
create trigger cdr_due_inserted after insert on sessions
  for each row when (new.status = 'COMPLETED' and new.ocpi_partner_id is not null and new.cost is not null)
  execute function mark_cdr();
