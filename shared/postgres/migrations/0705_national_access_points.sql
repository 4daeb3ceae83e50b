-- True for a partner that the operator marked as a national access point. It is shown the eMSPs of the network; a role in the partner's
-- credentials is its own statement and shows it nothing.
alter table ocpi_partners add is_national_access_point boolean not null default false;
