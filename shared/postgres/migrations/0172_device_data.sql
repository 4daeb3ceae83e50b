-- Names that the API gives out, and what its lists are ordered by.
alter table charger_certificates add uuid uuid not null unique default gen_random_uuid();
alter table device_variables add id bigint generated always as identity;
create unique index device_variables_of_charger on device_variables (charger_id, id);
create index security_events_of_charger on security_events (charger_id, occurred_at desc, id desc);
create index device_events_of_charger on device_events (charger_id, occurred_at desc, id desc);

-- What is past its time is removed by when it was received.
create index device_events_received on device_events (received_at);
create index security_events_received on security_events (received_at);
create index charger_notifications_received on charger_notifications (received_at);
