-- A tariff as OCPI 2.2.1 has it (§11.3.1); the JSON is in its words, prices as decimal text.
alter table tariffs
  -- Counts the changes by operators (ETag).
  add version integer not null default 1,
  add type text check (type in ('AD_HOC_PAYMENT', 'PROFILE_CHEAP', 'PROFILE_FAST', 'PROFILE_GREEN', 'REGULAR')),
  -- {"excl_vat": "0.50", "incl_vat": "0.55"}
  add min_price jsonb,
  add max_price jsonb,
  -- [{"language": "en", "text": "..."}]
  add alt_text jsonb not null default '[]',
  add alt_url text,
  add energy_mix jsonb,
  -- Outside of these it applies nowhere, whatever it is assigned to.
  add starts_at timestamptz,
  add ends_at timestamptz;
create index on tariffs (network_id, id) where deleted_at is null;

-- A tariff as a session keeps it: shared/pricing/tariff.ts.
create function tariff_document(t tariffs) returns jsonb
language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'uuid', t.uuid, 'name', t.name, 'currency', t.currency, 'version', t.version, 'type', t.type,
    'elements', t.elements, 'idle', t.idle, 'min_price', t.min_price, 'max_price', t.max_price,
    'tariff_alt_text', nullif(t.alt_text, '[]'), 'tariff_alt_url', t.alt_url, 'energy_mix', t.energy_mix,
    'start_date_time', to_char(t.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'end_date_time', to_char(t.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
$$;

-- What a tariff was before it was changed: a session that is told afterwards gets the tariff of its time (field note 8).
create table tariff_versions (
  tariff_id integer not null references tariffs (id),
  version integer not null,
  document jsonb not null,
  valid_until timestamptz not null default now(),
  primary key (tariff_id, version)
);

create function tariff_at(t tariffs, at timestamptz) returns jsonb
language sql stable as $$
  select coalesce(
    (select v.document from tariff_versions v where v.tariff_id = t.id and v.valid_until > at order by v.version limit 1),
    tariff_document(t))
$$;
