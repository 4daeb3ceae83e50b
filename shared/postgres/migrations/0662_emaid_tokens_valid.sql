-- Apart from 0661: the lock on writers ended with it.
alter table ocpi_tokens validate constraint ocpi_tokens_type_check;
