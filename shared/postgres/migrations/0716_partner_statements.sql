-- Values that a roaming partner stated of its session and that an operator decides on (kwh, endedAt, currency, status).
alter table sessions add column partner_statement jsonb;
