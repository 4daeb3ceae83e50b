-- The rest of what an invoice must state of its seller, and the account that it is paid to. postal_address holds the street lines.
alter table networks
  add postal_code text,
  add city text,
  -- Of the postal address: ISO 3166-1 alpha-2. country_code is the identity toward roaming partners.
  add country text check (country ~ '^[A-Z]{2}$'),
  add iban text,
  add bic text,
  -- An account that has no IBAN, as it is printed.
  add bank_account text,
  add payment_term_days integer not null default 30 check (payment_term_days between 0 and 365);
