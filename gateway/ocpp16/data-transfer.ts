import type { VendorAnswer, VendorMessage } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** Translates OCPP 1.6 §4.3, whose data is text. */
export function message({ vendorId, messageId, data }: RequestOf<'1.6', 'DataTransfer'>): VendorMessage {
  return { vendorId, messageId: messageId ?? null, data };
}

export function response({ status, data }: VendorAnswer): ResponseOf<'1.6', 'DataTransfer'> {
  if (data === undefined) return { status };
  return { status, data: typeof data === 'string' ? data : JSON.stringify(data) };
}
