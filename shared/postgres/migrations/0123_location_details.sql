-- What OCPI 2.2.1 tells of a location (§8.3.1); the JSON is in its form, with names in camelCase.
alter table locations
  add state text,
  add parking_type text,
  -- [{"language": "en", "text": "..."}]
  add directions jsonb not null default '[]',
  -- {"name": ..., "website": ..., "logo": {image}}; operator null: the network.
  add operator jsonb,
  add suboperator jsonb,
  add owner jsonb,
  add facilities text[] not null default '{}',
  -- {"twentyFourSeven": ..., "regularHours": [...], "exceptionalOpenings": [...], "exceptionalClosings": [...]}
  add opening_times jsonb,
  add charging_when_closed boolean not null default true,
  add images jsonb not null default '[]',
  add energy_mix jsonb,
  add version integer not null default 1;
