-- What drivers pay into their wallets through a payment provider.
create table wallet_top_ups (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  wallet_id integer not null references wallets (id),
  amount_minor bigint not null check (amount_minor > 0),
  provider text not null,
  -- What the provider names the payment by; null: it was never told of it, or did not answer.
  provider_reference text,
  status text not null default 'PENDING' check (status in ('PENDING', 'PAID', 'CANCELLED')),
  -- Of what was paid, what went back to the driver.
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_reference)
);
create index on wallet_top_ups (wallet_id, id desc);

-- The events of providers that were dealt with: they are told at least once.
create table payment_events (
  provider text not null,
  event_id text not null,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
