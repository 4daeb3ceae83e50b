-- Apart from 0785: the lock on writers ended with it.
alter table chargers validate constraint chargers_ocpp_version_check;
alter table charger_models validate constraint charger_models_ocpp_version_check;
alter table id_tokens validate constraint id_tokens_uid_check;
