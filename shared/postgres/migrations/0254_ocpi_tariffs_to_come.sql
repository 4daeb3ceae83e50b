-- What begins or ends later is marked whether or not a partner is there yet: one that comes meanwhile is told then.
create or replace function mark_for_partners(kind text, object_id bigint, network integer, is_whole boolean,
  ready_at timestamptz default now()) returns void
language sql as $$
  insert into ocpi_change_marks (kind, object_id, is_whole, ready_at)
  select kind, object_id, is_whole, greatest(ready_at, now())
  where ready_at > now() or exists (
    select from ocpi_partners p where p.network_id = network and p.status <> 'PENDING' and p.deleted_at is null)
$$;

-- An assignment begins and ends by itself, and so does its tariff: a mark for each.
create or replace function mark_assignment() returns trigger language plpgsql as $$
begin
  perform mark_for_partners('assignment', new.id, t.network_id, true, moment)
  from tariffs t, unnest(array[now(), new.valid_from, new.valid_until, t.starts_at, t.ends_at]) moment
  where t.id = new.tariff_id and (moment = now() or moment > now() and moment < 'infinity');
  return null;
end
$$;

-- Those of the assignments that are there already.
delete from ocpi_change_marks where kind = 'assignment' and ready_at > now();
insert into ocpi_change_marks (kind, object_id, is_whole, ready_at)
select 'assignment', a.id, true, moment
from tariff_assignments a
join tariffs t on t.id = a.tariff_id
cross join lateral unnest(array[a.valid_from, a.valid_until, t.starts_at, t.ends_at]) moment
where a.is_active and moment > now() and moment < 'infinity';
