import type { ShardContext } from '#gateway/handlers/context.ts';
import type { VendorAnswer, VendorMessage } from '#shared/domain/commands/charger-messages.ts';

/** Handles one message of a vendor. `Rejected`: the message is known, what it says is not taken. */
export type VendorHandler = (
  context: ShardContext,
  message: VendorMessage,
) => Promise<VendorAnswer & { status: 'Accepted' | 'Rejected' }>;

/** A vendor that we speak for, with a handler for each of its messages; the message `null` is one without messageId. */
export interface Vendor {
  vendorId: string;
  messages: ReadonlyMap<string | null, VendorHandler>;
}

/** Every vendor whose DataTransfer is understood. */
export const vendors: readonly Vendor[] = [];
