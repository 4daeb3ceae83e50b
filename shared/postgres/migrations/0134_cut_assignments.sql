-- It held without an end until one that was assigned after it cut it: where that one is withdrawn, it goes on. An end that
-- was given stays.
alter table tariff_assignments add was_cut boolean not null default false;
