-- Apart from 0675: the lock on writers ended with it.
alter table sessions validate constraint sessions_status_check;
alter table sessions validate constraint sessions_reservation_check;
