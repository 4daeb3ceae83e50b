import { dataTransferFor } from '#gateway/handlers/data-transfer/handler.ts';
import type { Vendor } from '#gateway/handlers/data-transfer/vendors.ts';
import { serve } from '#gateway/protocol/serve.ts';

/** OCPP 2.0.1 P02, whose data is any JSON. */
export const dataTransfer = (vendors: readonly Vendor[]) =>
  serve('2.0.1', 'DataTransfer', {
    message: ({ vendorId, messageId = null, data }) => ({ vendorId, messageId, data }),
    handle: dataTransferFor(vendors),
    response: ({ status, data }) => (data === undefined ? { status } : { status, data }),
  });
