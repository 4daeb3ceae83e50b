-- Limits are those of the remote start that their session is bound to: its number names them, in both versions.
alter table pending_session_limits drop column id_token, drop column evse, drop column requested_at;
