-- Kind of a monitor (EventNotificationEnumType), which its event streams do not repeat (OCPP 2.1 N15.FR.03). Null: not reported.
alter table variable_monitors add column notification_type text;
