-- Transactions that a request with an Idempotency-Key has committed, each with its result, written in the same transaction.
-- When the process ends before the answer is kept, a repeat of the request takes the results from here instead of running
-- the transactions a second time.
create table idempotency_steps (
  id bytea not null references idempotency_keys (id) on delete cascade,
  -- Digest of the transaction's code and of how often the request ran it before.
  step bytea not null,
  -- Encrypted like the answer.
  result bytea not null,
  primary key (id, step)
);

-- False once a command may have reached a charger: such a request never runs a second time.
alter table idempotency_keys add column is_repeatable boolean not null default true;
