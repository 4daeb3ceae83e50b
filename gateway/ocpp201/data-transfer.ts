import type { VendorAnswer, VendorMessage } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** Translates OCPP 2.0.1 P02, whose data is any JSON. */
export function message({ vendorId, messageId, data }: RequestOf<'2.0.1', 'DataTransfer'>): VendorMessage {
  return { vendorId, messageId: messageId ?? null, data };
}

export function response({ status, data }: VendorAnswer): ResponseOf<'2.0.1', 'DataTransfer'> {
  return data === undefined ? { status } : { status, data };
}
