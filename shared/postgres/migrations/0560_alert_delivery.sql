-- Rules and delivery of alerts (docs/adr/0056-delivery-of-alerts.md).

alter table alerts drop constraint alerts_resource_type_check;
alter table alerts add constraint alerts_resource_type_check
  check (resource_type in ('charger', 'connector', 'session', 'gateway', 'ocpi-partner', 'wallet', 'location', 'certificate',
    'api-key'));

-- Settings of one kind of alert in one network. A kind without a row has the defaults (shared/domain/fleet/alert-rules.ts).
create table alert_rules (
  id integer generated always as identity primary key,
  -- Null: of the whole system.
  network_id integer references networks (id),
  kind text not null,
  is_enabled boolean not null,
  severity text not null check (severity in ('warning', 'critical')),
  -- The thresholds that differ from the defaults, by name.
  thresholds jsonb not null,
  notifies boolean not null,
  -- [{"operatorId": uuid, "email": null, "language": null}]; null: the network's owners and administrators.
  recipients jsonb,
  group_window_seconds integer not null check (group_window_seconds between 0 and 3600),
  -- Local times of the network, HH:MM; both or none.
  quiet_from text,
  quiet_to text,
  escalate_after_minutes integer check (escalate_after_minutes > 0),
  escalate_to jsonb not null,
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_to is null))
);
create unique index alert_rules_kind on alert_rules (coalesce(network_id, 0), kind);

-- Alerts that notify nobody until a time. A null charger, location or kind matches all of them.
create table alert_mutes (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer not null references networks (id),
  charger_id integer references chargers (id),
  location_id integer references locations (id),
  kind text,
  until timestamptz not null,
  reason text,
  created_by text,
  created_at timestamptz not null default now(),
  check (num_nonnulls(charger_id, location_id, kind) > 0)
);
create index on alert_mutes (network_id, until);

-- Alerts of one kind at one location that opened within a window: one notification.
create table alert_notifications (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  network_id integer references networks (id),
  kind text not null,
  -- Null: the alerts are at no location.
  location_id integer references locations (id),
  severity text not null,
  -- collecting: alerts still join. notified: its recipients have notices. silent: nobody was to be notified. cleared: over.
  state text not null default 'collecting' check (state in ('collecting', 'notified', 'silent', 'cleared')),
  -- The same condition opened and ended repeatedly.
  is_flapping boolean not null default false,
  created_at timestamptz not null default now(),
  collects_until timestamptz not null,
  notified_at timestamptz,
  -- Time of the escalation to come; null: none, or it is over.
  escalates_at timestamptz,
  escalated_at timestamptz,
  cleared_at timestamptz
);
create unique index alert_notifications_collecting
  on alert_notifications (coalesce(network_id, 0), kind, coalesce(location_id, 0), is_flapping) where state = 'collecting';
create index alert_notifications_escalating on alert_notifications (escalates_at) where escalates_at is not null;
create index on alert_notifications (created_at);

-- Notice of a notification to one address. It is sent in an e-mail that may carry several notices.
create table alert_notices (
  id bigint generated always as identity primary key,
  notification_id bigint not null references alert_notifications (id) on delete cascade,
  network_id integer references networks (id),
  cause text not null check (cause in ('raised', 'escalated', 'cleared')),
  recipient text not null,
  -- BCP 47; null: the network's.
  language text,
  due_at timestamptz not null,
  -- Queued in an e-mail, or dropped because it was over before.
  sent_at timestamptz,
  dropped_at timestamptz,
  -- The e-mail; several notices may be in one.
  mail_id integer,
  unique (notification_id, cause, recipient)
);
create index alert_notices_due on alert_notices (due_at) where sent_at is null and dropped_at is null;
create index alert_notices_sent on alert_notices (recipient, sent_at) where sent_at is not null;

alter table alerts
  add notification_id bigint references alert_notifications (id) on delete set null,
  -- Alerts of before the migration notify nobody.
  add delivery text not null default 'silent'
    check (delivery in ('pending', 'grouped', 'notified', 'muted', 'flapping', 'silent', 'cleared'));
alter table alerts alter delivery set default 'pending';
create index alerts_pending on alerts (id) where delivery = 'pending';
create index alerts_held on alerts (id) where delivery in ('muted', 'flapping') and status <> 'resolved';
create index alerts_to_clear on alerts (id) where delivery = 'notified' and status = 'resolved';
create index alerts_of_notification on alerts (notification_id) where notification_id is not null;

-- E-mails of no network: of alerts of the whole system.
alter table mails alter network_id drop not null;

-- Conditions of the new kinds.
alter table charger_certificates
  -- Read from the certificate by a job; infinity: unreadable.
  add valid_to timestamptz;
create index charger_certificates_unread on charger_certificates (id) where valid_to is null and deleted_at is null;
create index charger_certificates_expiry on charger_certificates (valid_to) where deleted_at is null;
create index api_keys_expiry on api_keys (expires_at) where revoked_at is null and deleted_at is null;
alter table ocpi_push_lanes
  -- Time the breaker opened; null: it is closed.
  add unreachable_since timestamptz;
create index remote_starts_refused on remote_starts (requested_at) where status = 'refused';
create index sessions_refused on sessions (start_received_at) where authorization_status <> 'Accepted';
-- Signs of a wrong clock: a time that was replaced, or a start that arrived late.
create index sessions_time_doubtful on sessions (start_received_at)
  where flags && '{time-past,time-future}' or start_received_at - started_at > interval '5 minutes';
