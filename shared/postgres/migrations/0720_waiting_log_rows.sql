-- Rows of the API's logs in ClickHouse that wait until it accepts them: an API that stops during an outage loses none.
create table waiting_log_rows (
  id bigint generated always as identity primary key,
  table_name text not null,
  columns text[] not null,
  -- One row per line (JSONCompactEachRow).
  lines text not null
);
