-- Where a key may be used, how often, what it may give away, and what became of it.
alter table api_keys
  -- Requests within an hour; null: any number.
  add rate_limit_per_hour integer check (rate_limit_per_hour > 0),
  -- Addresses and CIDR ranges; empty: from anywhere.
  add allowed_ips text[] not null default '{}',
  -- The highest role that the key may give an operator: that of who minted it.
  add role_ceiling text not null default 'Owner' check (role_ceiling in ('Owner', 'Admin', 'Manager', 'Viewer')),
  -- Written every few seconds for many keys at once.
  add last_used_at timestamptz,
  add usage_count bigint not null default 0;
create index on api_key_networks (network_id);
