-- Identity of the effect of a request with an Idempotency-Key, the same for each attempt. Null: the request never runs a second time.
alter table idempotency_keys add column cause uuid;

-- safe: no version that uses it was released
drop table idempotency_steps;
-- safe: no version that uses it was released
alter table idempotency_keys drop column is_repeatable;
