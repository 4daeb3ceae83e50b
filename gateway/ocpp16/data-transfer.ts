import { dataTransferFor } from '#gateway/handlers/data-transfer/handler.ts';
import type { Vendor } from '#gateway/handlers/data-transfer/vendors.ts';
import { serve } from '#gateway/protocol/serve.ts';

/** OCPP 1.6 §4.3, whose data is text. */
export const dataTransfer = (vendors: readonly Vendor[]) =>
  serve('1.6', 'DataTransfer', {
    message: ({ vendorId, messageId = null, data }) => ({ vendorId, messageId, data }),
    handle: dataTransferFor(vendors),
    response({ status, data }) {
      if (data === undefined) return { status };
      return { status, data: typeof data === 'string' ? data : JSON.stringify(data) };
    },
  });
