-- Apart from 0760: the lock on writers ended with it.
alter table operators validate constraint operators_custom_role_id_fkey;
alter table operators validate constraint operators_role_check;
alter table api_keys validate constraint api_keys_role_ceiling_check;
