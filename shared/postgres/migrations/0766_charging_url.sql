-- Address at which drivers start a session at a connector, in QR codes.
alter table networks add column charging_url text;
