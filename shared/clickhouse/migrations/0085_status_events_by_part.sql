-- A month of the history goes as a whole, when its last event is past the retention: no part is written again to remove some of its rows.
alter table status_events modify setting ttl_only_drop_parts = 1
