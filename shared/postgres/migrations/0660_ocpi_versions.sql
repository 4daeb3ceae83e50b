-- OCPI 2.1.1 and 2.3.0 beside 2.2 and 2.2.1 (docs/adr/0086-ocpi-versions.md).

-- safe: a wider constraint replaces it in this transaction
alter table ocpi_partners drop constraint ocpi_partners_ocpi_version_check;
-- safe: it allows more than the constraint that it replaces, and a network has few partners
alter table ocpi_partners add constraint ocpi_partners_ocpi_version_check
  check (ocpi_version in ('2.1.1', '2.2', '2.2.1', '2.3.0'));
-- safe: a wider constraint replaces it in this transaction
alter table ocpi_handshakes drop constraint ocpi_handshakes_ocpi_version_check;
-- safe: it allows more than the constraint that it replaces, and few handshakes run
alter table ocpi_handshakes add constraint ocpi_handshakes_ocpi_version_check
  check (ocpi_version in ('2.1.1', '2.2', '2.2.1', '2.3.0'));
