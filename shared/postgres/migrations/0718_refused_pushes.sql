-- Time at which a push was set aside: its partner had refused the object too often. Null: it is tried as usual.
alter table ocpi_pushes add column set_aside_at timestamptz;
