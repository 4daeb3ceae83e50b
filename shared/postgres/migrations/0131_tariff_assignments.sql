-- An assignment holds for a time and stays when it has ended: what charged then keeps its price. `is_active` false: it
-- was withdrawn, as if it had never been.
alter table tariff_assignments
  add uuid uuid not null unique default gen_random_uuid(),
  add valid_from timestamptz not null default '-infinity',
  add valid_until timestamptz check (valid_until > valid_from);

drop index tariff_assignments_network_id_idx;
drop index tariff_assignments_location_id_idx;
drop index tariff_assignments_charger_id_idx;
drop index tariff_assignments_connector_id_idx;
create index tariff_assignments_of_network on tariff_assignments (network_id) where is_active;
create index tariff_assignments_of_location on tariff_assignments (location_id) where is_active;
create index tariff_assignments_of_charger on tariff_assignments (charger_id) where is_active;
create index tariff_assignments_of_connector on tariff_assignments (connector_id) where is_active;
create index tariff_assignments_of_tariff on tariff_assignments (tariff_id);

-- One tariff at a place at a time. A range of one number stands for it: ranges need no extension to be compared.
alter table tariff_assignments
  add constraint tariff_assignments_network_once exclude using gist
    (int4range(network_id, network_id, '[]') with &&, tstzrange(valid_from, valid_until) with &&)
    where (is_active and network_id is not null),
  add constraint tariff_assignments_location_once exclude using gist
    (int4range(location_id, location_id, '[]') with &&, tstzrange(valid_from, valid_until) with &&)
    where (is_active and location_id is not null),
  add constraint tariff_assignments_charger_once exclude using gist
    (int4range(charger_id, charger_id, '[]') with &&, tstzrange(valid_from, valid_until) with &&)
    where (is_active and charger_id is not null),
  add constraint tariff_assignments_connector_once exclude using gist
    (int4range(connector_id, connector_id, '[]') with &&, tstzrange(valid_from, valid_until) with &&)
    where (is_active and connector_id is not null);

-- The tariff that applies at a connector (null: at the charger as a whole) at a time, as a session keeps it; the
-- closest assignment wins. No row: none applies.
create function effective_tariff(of_charger integer, of_connector integer, at timestamptz)
returns table (assignment_id integer, tariff_id integer, level text, document jsonb)
language sql stable as $$
  select a.id, t.id,
    case when a.connector_id is not null then 'CONNECTOR' when a.charger_id is not null then 'CHARGER'
      when a.location_id is not null then 'LOCATION' else 'NETWORK' end,
    found.document || jsonb_build_object('time_zone', coalesce(l.time_zone, n.time_zone))
  from chargers c
  join networks n on n.id = c.network_id
  left join locations l on l.id = c.location_id
  join tariff_assignments a on a.is_active
    and (a.connector_id = of_connector or a.charger_id = c.id or a.location_id = c.location_id
      or a.network_id = c.network_id)
    and at >= a.valid_from and (a.valid_until is null or at < a.valid_until)
  join tariffs t on t.id = a.tariff_id
  cross join lateral (select tariff_at(t, at) as document) found
  where c.id = of_charger
    and coalesce(at >= (found.document ->> 'start_date_time')::timestamptz, true)
    and coalesce(at < (found.document ->> 'end_date_time')::timestamptz, true)
  order by (a.connector_id is null), (a.charger_id is null), (a.location_id is null)
  limit 1
$$;
