-- Partners of the previous version keep its HTTP statuses of errors; new ones get those of the standard (shared/domain/roaming/ocpi.ts).
-- safe: partners are few
update ocpi_partners set quirks = quirks || '{"httpStatus": "rest"}' where deleted_at is null;
