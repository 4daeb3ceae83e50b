-- Which start a session is bound to is asked for each session that begins and each token that is shown late.
create index remote_starts_session on remote_starts (session_id) where session_id is not null;
