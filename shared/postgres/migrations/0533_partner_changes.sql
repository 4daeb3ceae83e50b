-- Time of the registration of a partner. Changes before it are pulled by the partner: their events are written in networks without
-- partners too, and may still wait for their reader. Null: registered before this migration.
alter table ocpi_partners add changes_since timestamptz;
