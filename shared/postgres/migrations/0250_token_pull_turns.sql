-- Long lists are read in turns: other partners are read in between, and whoever goes on begins where the last turn ended.
alter table ocpi_token_pulls
  -- Where the next turn begins; null: at the first page.
  add next_page text,
  -- Read so far, of the list that is being read.
  add pages integer not null default 0,
  -- When its first page was asked for: what the partner changes from then on is read next time.
  add began_at timestamptz;
