import type { ShardContext } from '#gateway/handlers/context.ts';
import type { VendorAnswer, VendorMessage } from '#shared/domain/commands/charger-messages.ts';
import type { Vendor } from './vendors.ts';

/**
 * Passes a vendor's message to its handler in `vendors`; answers unknown vendors and messages as the standard defines
 * (1.6 §4.3, 2.0.1 P02). Vendor ids are compared without regard to case (CiString).
 */
export function dataTransferFor(vendors: readonly Vendor[]) {
  const messagesOf = new Map(vendors.map(({ vendorId, messages }) => [vendorId.toLowerCase(), messages]));
  return async (context: ShardContext, message: VendorMessage): Promise<VendorAnswer> => {
    const messages = messagesOf.get(message.vendorId.toLowerCase());
    if (messages === undefined) return { status: 'UnknownVendorId' };
    const handle = messages.get(message.messageId);
    return handle === undefined ? { status: 'UnknownMessageId' } : handle(context, message);
  };
}
