-- Money held for reviews is no minimum balance: the holds of a wallet are read with each authorization.
create index wallet_holds_held on wallet_holds (wallet_id) where status = 'held';
