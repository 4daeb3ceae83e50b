-- Transactions are listed and exported by when they ended.
create index sessions_ended_of_network on sessions (network_id, ended_at desc, id desc) where status = 'COMPLETED';
create index sessions_ended_of_user on sessions (user_id, ended_at desc, id desc)
  where status = 'COMPLETED' and user_id is not null;
