-- What an operator tells of a network. `version` counts the changes by operators (ETag).
alter table networks
  add version integer not null default 1,
  -- Of receipts, invoices and e-mails: BCP 47.
  add language text not null default 'en',
  -- Who sells the energy: what a receipt and an invoice must name.
  add legal_name text,
  add vat_number text,
  add postal_address text,
  add website text,
  add support_email text,
  add support_phone text,
  add logo_url text,
  add primary_color text check (primary_color ~ '^#[0-9a-f]{6}$'),
  add secondary_color text check (secondary_color ~ '^#[0-9a-f]{6}$');
