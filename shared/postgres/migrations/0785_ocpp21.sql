-- OCPP 2.1, and its tokens of up to 255 characters.

-- safe: a wider constraint replaces it in this transaction
alter table chargers drop constraint chargers_ocpp_version_check;
-- safe: it allows more than the constraint that it replaces; it is validated by 0786
alter table chargers add constraint chargers_ocpp_version_check
  check (ocpp_version in ('1.6', '2.0.1', '2.1')) not valid;
-- safe: a wider constraint replaces it in this transaction
alter table charger_models drop constraint charger_models_ocpp_version_check;
-- safe: it allows more than the constraint that it replaces; it is validated by 0786
alter table charger_models add constraint charger_models_ocpp_version_check
  check (ocpp_version in ('1.6', '2.0.1', '2.1')) not valid;
-- safe: a wider constraint replaces it in this transaction
alter table id_tokens drop constraint id_tokens_uid_check;
-- safe: it allows more than the constraint that it replaces; it is validated by 0786
alter table id_tokens add constraint id_tokens_uid_check check (length(uid) between 1 and 255) not valid;
