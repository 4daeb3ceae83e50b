-- The operator API names an invoice by an identifier. The default fills the column in one rewrite of the table, which fires no
-- trigger: an invoice never changes.
alter table invoices add column uuid uuid not null unique default gen_random_uuid();

-- Invoices have a scope of their own. A key with the scopes below could already read them, by a key of the public API with
-- `emsp:read` that it creates: it keeps that right, and no other key gains any.
update api_keys set scopes = scopes || '{cpms:read:invoices}'::text[]
where api_family = 'cpms' and not scopes @> '{cpms:read:invoices}' and scopes @>
  '{cpms:write:api-keys,cpms:read:networks,cpms:read:chargers,cpms:read:locations,cpms:read:tariffs,cpms:read:sessions,cpms:read:users,cpms:read:id-tokens,cpms:read:wallets,cpms:read:analytics}';
