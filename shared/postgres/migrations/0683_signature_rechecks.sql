-- Chargers whose keys changed, and whose sessions with values that no key verified are checked again (docs/adr/0087-signed-meter-values.md).
create table signature_rechecks (
  charger_id integer primary key references chargers (id),
  -- Start and id of the oldest session that was checked. The newest are checked first.
  before_at timestamptz not null default 'infinity',
  before_id bigint not null default 9223372036854775807,
  -- Time of the latest change of the keys, which begins with the newest session again.
  requested_at timestamptz not null default clock_timestamp(),
  -- A process checks sessions until then.
  claimed_until timestamptz
);
