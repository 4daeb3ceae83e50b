import type { OutboundDeps } from '#api/services/access/outbound.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { ExchangeDeps } from './exchange-log.service.ts';

/** Dependencies of services that speak to roaming partners. */
export interface RoamingDeps extends ServiceDeps, OutboundDeps, ExchangeDeps {}
