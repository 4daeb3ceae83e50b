-- Apart from 0841: the lock on writers ended with it.
alter table alerts validate constraint alerts_resource_type_check;
