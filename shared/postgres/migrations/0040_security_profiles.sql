-- Security profile 0: chargers that prove nothing are let in only where a network's owner said so.
alter table networks add column allow_unauthenticated_chargers boolean not null default false;

-- The common name of a charger's client certificate (profile 3) where it is not the uid: the serial number that its
-- maker put there. The operator's word; what a charger says of itself in its BootNotification never gets here.
alter table chargers add column certificate_cn text check (length(certificate_cn) between 1 and 64);
create unique index chargers_certificate_cn_key on chargers (certificate_cn) where deleted_at is null;
