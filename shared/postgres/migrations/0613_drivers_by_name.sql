-- Operators list the drivers of a network, or of all networks, by their names.
create index users_by_name on users (network_id, lower(name), id) where deleted_at is null;
create index users_of_all_by_name on users (lower(name), id) where deleted_at is null;
-- The list of all networks' tokens by their uid. That of one network has the index that keeps uids apart.
create index id_tokens_of_all_by_uid on id_tokens (lower(uid), id) where deleted_at is null;
analyze users;
analyze id_tokens;
