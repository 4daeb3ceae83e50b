-- Chargers and connectors change with every sign of life, sessions every few seconds while they run. A page with room takes the
-- new version of a row beside the old one, and then none of the indexes is written.
alter table chargers set (fillfactor = 70);
alter table connectors set (fillfactor = 70);
alter table sessions set (fillfactor = 80);
