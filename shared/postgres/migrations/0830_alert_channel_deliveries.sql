-- Escalations to alert channels, and the last attempt of each delivery (docs/adr/0056-delivery-of-alerts.md).

-- safe: a wider constraint replaces it in this transaction
alter table alert_channel_notices drop constraint alert_channel_notices_cause_check;
alter table alert_channel_notices add constraint alert_channel_notices_cause_check
  check (cause in ('raised', 'escalated', 'cleared')) not valid;
alter table alert_channel_notices
  -- Null: no request has begun, or it was made before this column.
  add last_tried_at timestamptz,
  -- Status of the last answer; null without one.
  add http_status integer,
  -- Reason of the last failure; null after a delivery.
  add last_error text;

-- Time until which one process sends to the channel; null: none does.
alter table alert_channels add claimed_until timestamptz;
