alter table charging_rollup modify setting fsync_after_insert = 1, fsync_part_directory = 1
