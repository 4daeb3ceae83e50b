-- Days without any use after which the personal data of a driver is erased, where that is sooner than PERSONAL_DATA_DAYS of the
-- installation (docs/adr/0080-personal-data-and-retention.md). Null: the installation's.
alter table networks add personal_data_days integer check (personal_data_days >= 365);
