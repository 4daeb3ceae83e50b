-- Cards and remote starts need the minimum balance, too, from now on. A network without any wallet has its drivers pay by
-- invoice: its cards go on being accepted.
update networks set minimum_balance_minor = 0
where not exists (select from wallets w where w.network_id = networks.id);
