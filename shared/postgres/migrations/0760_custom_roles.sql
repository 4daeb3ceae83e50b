-- Roles of operators that are composed of scopes. Null network: of the installation, for operators of any network.
create table custom_roles (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer references networks (id),
  name text not null,
  scopes text[] not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index custom_roles_name_key on custom_roles (coalesce(network_id, 0), lower(name));

alter table operators add column custom_role_id integer;
alter table operators add constraint operators_custom_role_id_fkey
  foreign key (custom_role_id) references custom_roles (id) not valid;
-- safe: operators are few
create index operators_custom_role_id_idx on operators (custom_role_id) where custom_role_id is not null;

-- safe: a wider constraint replaces it in this transaction
alter table operators drop constraint operators_role_check;
-- safe: the previous version writes neither the role nor the column
alter table operators add constraint operators_role_check check (
  (role = 'Custom') = (custom_role_id is not null)
  and role in ('Owner', 'Admin', 'Manager', 'Technician', 'Support', 'Finance', 'Viewer', 'Custom')) not valid;
-- safe: a wider constraint replaces it in this transaction
alter table api_keys drop constraint api_keys_role_ceiling_check;
alter table api_keys add constraint api_keys_role_ceiling_check check (
  role_ceiling in ('Owner', 'Admin', 'Manager', 'Technician', 'Support', 'Finance', 'Viewer', 'Custom')) not valid;
