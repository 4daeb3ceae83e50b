-- Counts what is stated of an EVSE, for operators who change it (If-Match); what its charger reports moves nothing.
alter table evses add version integer not null default 1;
