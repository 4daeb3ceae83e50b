import type { ExportRow } from '#shared/domain/reporting/export.ts';
import type { ExportedCdr } from '#shared/postgres/reporting/exported-cdrs.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';

/** Returns the row of a charge detail record, in the order of the columns of `cdrs`. */
export function cdrRow(cdr: ExportedCdr): ExportRow {
  return [
    cdr.uuid,
    cdr.networkUuid,
    cdr.partnerUuid,
    cdr.ocpiId,
    cdr.sessionUuid,
    cdr.sessionVersion,
    cdr.creditsUuid,
    cdr.startedAt,
    cdr.endedAt,
    cdr.authMethod,
    cdr.energyKwh,
    cdr.durationHours,
    cdr.parkingHours,
    cdr.currency,
    minorDigits(cdr.currency),
    cdr.exclVatMinor,
    cdr.inclVatMinor,
    cdr.createdAt,
  ];
}
