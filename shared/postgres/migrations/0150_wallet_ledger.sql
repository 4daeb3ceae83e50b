-- The ledger of drivers' wallets, in double entry. The chart of accounts; amounts above zero are credits:
--   available, held   what a network owes the driver of a wallet: free to use, and set aside for a session
--   receivable        what the driver owes the network (its balance is never above zero)
--   cash              what came in from outside, and went back
--   revenue           what sessions earned
--   adjustments       what operators gave and took
-- The first three belong to the wallet of a transaction, the others to its network and currency.
alter table wallets rename column balance_minor to available_minor;
alter table wallets
  add held_minor bigint not null default 0 check (held_minor >= 0),
  add owed_minor bigint not null default 0 check (owed_minor >= 0),
  add updated_at timestamptz not null default now(),
  drop constraint wallets_user_id_network_id_key,
  add unique (user_id, network_id, currency);
create index on wallets (network_id, id);

create table ledger_transactions (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  wallet_id integer not null references wallets (id),
  cause text not null check (cause in ('TOP_UP', 'REFUND', 'CREDIT', 'DEBIT', 'HOLD', 'RELEASE', 'SESSION')),
  -- What caused it, once: the same again violates the constraint below.
  cause_id text not null,
  session_id bigint references sessions (id),
  -- Why, where somebody had to say.
  reason text,
  -- The wallet afterwards.
  available_after_minor bigint not null,
  held_after_minor bigint not null,
  owed_after_minor bigint not null,
  created_at timestamptz not null default now(),
  unique (cause, cause_id)
);
create index on ledger_transactions (wallet_id, id desc);
create index on ledger_transactions (session_id) where session_id is not null;

create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references ledger_transactions (id),
  account text not null check (account in ('available', 'held', 'receivable', 'cash', 'revenue', 'adjustments')),
  amount_minor bigint not null check (amount_minor <> 0),
  unique (transaction_id, account)
);

-- What is set aside for a session that was asked for, until it ends or nobody came.
create table wallet_holds (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  wallet_id integer not null references wallets (id),
  amount_minor bigint not null check (amount_minor > 0),
  status text not null default 'held' check (status in ('held', 'captured', 'released')),
  -- Null: the session has not begun.
  session_id bigint unique references sessions (id),
  -- When it is given back, if none has begun.
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create index on wallet_holds (expires_at) where status = 'held' and session_id is null;

-- A remote start carries its hold to the session in the same way as its limits.
alter table pending_session_limits add hold_id bigint references wallet_holds (id);

alter table sessions drop constraint sessions_limit_passed_check,
  add check (limit_passed in ('MaxCost', 'MaxDuration', 'MaxEnergy', 'WalletBalance'));

-- What a driver must have available to start a session, and what is held then. Zero: sessions are not paid in advance.
alter table networks add minimum_balance_minor bigint not null default 500 check (minimum_balance_minor >= 0);

-- What the ledger of one entry per movement held, and what balances had that it could not explain.
with movements as (
  select wallet_id, amount_minor, balance_after_minor, reason, created_at, id from wallet_ledger
  union all
  select w.id, w.available_minor - coalesce(sum(l.amount_minor), 0), w.available_minor, 'Balance of the old ledger', now(), null
  from wallets w left join wallet_ledger l on l.wallet_id = w.id
  group by w.id having w.available_minor <> coalesce(sum(l.amount_minor), 0)
), moved as (
  insert into ledger_transactions
    (wallet_id, cause, cause_id, reason, available_after_minor, held_after_minor, owed_after_minor, created_at)
  select wallet_id, case when amount_minor > 0 then 'CREDIT' else 'DEBIT' end, coalesce('old-' || id, 'old-wallet-' || wallet_id),
    reason, balance_after_minor, 0, 0, created_at
  from movements order by id nulls last
  returning id, cause_id
)
insert into ledger_entries (transaction_id, account, amount_minor)
select moved.id, account, case account when 'available' then amount_minor else -amount_minor end
from moved
join movements on moved.cause_id = coalesce('old-' || movements.id, 'old-wallet-' || movements.wallet_id)
cross join unnest(array['available', 'adjustments']) as account;
drop table wallet_ledger;

create trigger ledger_transactions_are_append_only before update or delete or truncate on ledger_transactions
  for each statement execute function forbid_change();
create trigger ledger_entries_are_append_only before update or delete or truncate on ledger_entries
  for each statement execute function forbid_change();

-- Entries move the balances of their wallet, and nothing else does. Those of a transaction come in one statement, sum to
-- zero, and lead to the balances that the transaction says.
create function post_ledger_entries() returns trigger language plpgsql as $$
declare
  posted ledger_transactions;
  after wallets;
begin
  select t.* into posted from ledger_transactions t where t.id = (select min(transaction_id) from added);
  if posted.id is null then return null; end if;
  if (select sum(amount_minor) <> 0 or max(transaction_id) <> posted.id from added)
    or (select count(*) from ledger_entries where transaction_id = posted.id) <> (select count(*) from added)
  then
    raise exception 'the entries of a ledger transaction come at once and sum to zero' using errcode = 'check_violation';
  end if;
  update wallets w set available_minor = w.available_minor + moved.available, held_minor = w.held_minor + moved.held,
    owed_minor = w.owed_minor - moved.receivable, updated_at = now()
  from (
    select coalesce(sum(amount_minor) filter (where account = 'available'), 0) as available,
      coalesce(sum(amount_minor) filter (where account = 'held'), 0) as held,
      coalesce(sum(amount_minor) filter (where account = 'receivable'), 0) as receivable
    from added
  ) moved
  where w.id = posted.wallet_id
  returning w.* into after;
  if (posted.available_after_minor, posted.held_after_minor, posted.owed_after_minor)
    is distinct from (after.available_minor, after.held_minor, after.owed_minor)
  then
    raise exception 'a ledger transaction does not lead to the balances that it says' using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger ledger_entries_move_balances after insert on ledger_entries
  referencing new table as added for each statement execute function post_ledger_entries();

create function forbid_unposted_balance() returns trigger language plpgsql as $$
begin
  raise exception 'balances of wallets change by ledger entries alone' using errcode = 'insufficient_privilege';
end
$$;
create trigger new_wallets_are_empty before insert on wallets
  for each row when (new.available_minor <> 0 or new.held_minor <> 0 or new.owed_minor <> 0)
  execute function forbid_unposted_balance();
create trigger balances_are_posted before update of available_minor, held_minor, owed_minor on wallets
  for each row when (pg_trigger_depth() = 0) execute function forbid_unposted_balance();
