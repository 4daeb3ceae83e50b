-- A reading is acknowledged when its insert is: the files and the directory of its part are flushed to the disk first (ADR 31).
alter table meter_samples modify setting fsync_after_insert = 1, fsync_part_directory = 1
