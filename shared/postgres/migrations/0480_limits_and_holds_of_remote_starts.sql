-- Limits are columns of their remote start, and a wallet hold names the remote start that it was placed for. Both waited in
-- pending_session_limits for a session that names the same number.
alter table remote_starts
  add max_cost_minor bigint check (max_cost_minor > 0),
  add max_duration_s integer check (max_duration_s > 0),
  add max_energy_wh double precision check (max_energy_wh > 0);
comment on column remote_starts.max_cost_minor is 'Limits that the session takes when it binds. Null: none.';

alter table wallet_holds add remote_start_id bigint references remote_starts (id);
comment on column wallet_holds.remote_start_id is 'Remote start that the money is held for. Null in rows of older versions.';
create unique index wallet_holds_remote_start on wallet_holds (remote_start_id) where remote_start_id is not null;

update remote_starts r
set max_cost_minor = p.max_cost_minor, max_duration_s = p.max_duration_s, max_energy_wh = p.max_energy_wh
from pending_session_limits p
where p.charger_id = r.charger_id and p.remote_start_id = r.remote_start_id and r.status in ('pending', 'expired');

update wallet_holds h set remote_start_id = r.id
from pending_session_limits p join remote_starts r on r.charger_id = p.charger_id and r.remote_start_id = p.remote_start_id
where h.id = p.hold_id and h.session_id is null and r.status in ('pending', 'expired');

update wallet_holds h set remote_start_id = r.id
from remote_starts r where h.session_id = r.session_id;

drop table pending_session_limits;
