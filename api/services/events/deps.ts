import type { Outbound } from '#api/services/access/outbound.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { DeliveryLog } from './webhook-log.ts';

/** Dependencies of services that deliver events. */
export interface WebhookDeps extends ServiceDeps {
  /** The guarded way out to webhooks. Its connections to one server are not limited: each endpoint limits its own. */
  webhookOutbound: Outbound;
  deliveries: DeliveryLog;
}
