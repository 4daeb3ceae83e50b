import type { Party } from './ocpi.ts';

/** States of a party's connection to its hub (OCPI 2.2.1 §15.5.1, ConnectionStatus). */
export const clientStatuses = ['CONNECTED', 'OFFLINE', 'PLANNED', 'SUSPENDED'] as const;
export type ClientStatus = (typeof clientStatuses)[number];

/** Party that is connected to a hub, in one of its roles (OCPI 2.2.1 §15.4.1, ClientInfo). */
export interface HubClient extends Party {
  role: string;
  status: ClientStatus;
  /** Time of the change, by the hub's clock. */
  lastUpdated: Date;
}
