-- Tokens of the type EMAID (OCPI 2.3.0), which earlier versions receive as OTHER (docs/adr/0086-ocpi-versions.md).

-- safe: a wider constraint replaces it in this transaction
alter table ocpi_tokens drop constraint ocpi_tokens_type_check;
-- safe: it allows more than the constraint that it replaces; it is validated by 0662
alter table ocpi_tokens add constraint ocpi_tokens_type_check
  check (type in ('RFID', 'APP_USER', 'AD_HOC_USER', 'OTHER', 'EMAID')) not valid;
