-- True once an operator marked the partner as a hub. Sessions and CDRs of the parties behind it stay its rows: when it is a hub no
-- more, they are neither shown nor sent to it (docs/adr/0038-ocpi-parties-and-hubs.md).
alter table ocpi_partners add was_hub boolean not null default false;

-- safe: partners are few, and the previous version reads and writes the column nowhere.
update ocpi_partners set was_hub = true where hub_parties is not null;
