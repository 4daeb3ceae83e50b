-- Public events: rows of the outbox with the uuid of their subject. Operators and integrators read them; the other rows are for the
-- product's own readers alone. The types are in shared/domain/events/event-types.ts.
alter table outbox
  add subject_uuid uuid,
  -- The charger that the event concerns.
  add charger_id integer,
  -- Null: an event of the whole system.
  alter network_id drop not null;
create index outbox_public on outbox (network_id, position) where position is not null and subject_uuid is not null;
