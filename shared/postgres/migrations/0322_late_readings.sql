-- Sessions whose readings came after they were priced, and which are on no invoice: they are priced anew.
create index sessions_readings_late on sessions (id) where flags @> '{readings-late}' and invoice_number is null;
