-- Keys of the public API have scopes. Operator keys that exist keep what they could do. The scopes of a driver's key are fixed
-- in the program (shared/domain/public-scopes.ts).
update api_keys
set scopes = '{emsp:read,emsp:write,emsp:billing,emsp:charge,emsp:command}'
where api_family = 'emsp' and user_id is null;

-- The creator of a key: revoking a key revokes the keys that it minted. Both null: made by the installation itself.
alter table api_keys
  add created_by_key_id integer references api_keys (id),
  add created_by_operator_id integer references operators (id),
  add check (num_nonnulls(created_by_key_id, created_by_operator_id) <= 1),
  -- A publishable key stands in apps and pages for everybody to read.
  add check (key_type in ('Private', 'Publishable')),
  add check (key_type = 'Private' or (api_family = 'emsp' and user_id is null and scopes <@ '{emsp:public}'));
create index on api_keys (created_by_key_id) where created_by_key_id is not null;
create index on api_keys (created_by_operator_id) where created_by_operator_id is not null;

-- Creators of the keys that exist, from the audit log.
update api_keys k
set created_by_key_id = creation.api_key_id, created_by_operator_id = creation.operator_id
from (
  select distinct on (a.resource_id) a.resource_id, a.api_key_id,
    case when a.api_key_id is null then o.id end as operator_id
  from audit_log a left join operators o on o.uuid = a.user_id
  where a.category = 'api-key' and a.action = 'create'
  order by a.resource_id, a.id
) creation
where creation.resource_id = k.uuid::text and creation.api_key_id is distinct from k.id;
