-- Apart from 0771: the lock on writers ended with it.
alter table alerts validate constraint alerts_resource_type_check;
