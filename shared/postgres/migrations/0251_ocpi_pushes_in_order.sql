-- The oldest that are due are read in order: after an outage all that a partner is owed has been due since one moment.
create index ocpi_pushes_in_order on ocpi_pushes (partner_id, due_at, id);
drop index ocpi_pushes_partner_id_due_at_idx;
