import type { ShardContext } from '#gateway/handlers/context.ts';
import type { VendorAnswer, VendorMessage } from '#shared/domain/commands/charger-messages.ts';

/** Handler of one message of a vendor. `Rejected` means that the message is known and its content refused. */
export type VendorHandler = (
  context: ShardContext,
  message: VendorMessage,
) => Promise<VendorAnswer & { status: 'Accepted' | 'Rejected' }>;

/** Vendor with a handler for each of its messages; the key `null` is for messages without messageId. */
export interface Vendor {
  vendorId: string;
  messages: ReadonlyMap<string | null, VendorHandler>;
}

/** Vendors whose DataTransfer is supported. */
export const vendors: readonly Vendor[] = [];
