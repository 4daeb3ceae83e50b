-- Sessions whose price is to be told from their readings: for the first time, or anew, since more of them came. In the words of
-- the query, which asks each second: PostgreSQL takes the index for no other condition, and reads all sessions without it.
create index sessions_price_due on sessions (id)
  where flags && '{cost-pending,readings-late}' and invoice_number is null;
drop index sessions_cost_pending;
