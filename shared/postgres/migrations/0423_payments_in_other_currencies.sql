-- What a provider reported of a top-up in another currency than the wallet's: nothing is booked, and an operator looks at it.
alter table wallet_top_ups
  add mismatched_at timestamptz,
  add mismatched_minor bigint,
  add mismatched_currency text;
create index wallet_top_ups_mismatched on wallet_top_ups (mismatched_at) where mismatched_at is not null;
