-- Apart from 0830: the lock on writers ended with it.
alter table alert_channel_notices validate constraint alert_channel_notices_cause_check;
