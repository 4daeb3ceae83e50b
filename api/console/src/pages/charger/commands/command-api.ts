import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { api, type Schemas } from '../../../api/client.ts';
import type { CommandAnswer } from './command-dialog.tsx';

const to = (chargerUuid: string) => ({ path: { chargerUuid } });

/** Sends a command and returns the answer of the charger. */
export const commands = {
  start: (uuid: string, body: { connectorNumber?: number; idTag?: string }): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/remote-start', { params: to(uuid), body }),
  stop: (uuid: string, sessionId: string): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/remote-stop', { params: to(uuid), body: { sessionId } }),
  unlock: (uuid: string, connectorNumber: number): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/unlock-connector', {
      params: to(uuid),
      body: { connectorNumber },
    }),
  reboot: (uuid: string, type: 'Soft' | 'Hard'): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/reboot', { params: to(uuid), body: { type } }),
  disconnect: (uuid: string): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/disconnect', { params: to(uuid) }),
  trigger: (
    uuid: string,
    body: { requestedMessage: string; connectorNumber?: number },
  ): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/trigger-message', { params: to(uuid), body }),
  availability: (
    uuid: string,
    body: { connectorNumber: number; type: 'Operative' | 'Inoperative' },
  ): Promise<CommandAnswer> =>
    api.POST('/cpms/v1/chargers/{chargerUuid}/change-availability', { params: to(uuid), body }),
  register: (uuid: string, status: 'Accepted' | 'Rejected') =>
    api.POST('/cpms/v1/chargers/{uuid}/registration', { params: { path: { uuid } }, body: { status } }),
};

/** Returns the OCPP action of a command in the version of a charger; null when the version is not known. */
export function actionOf(command: 'start' | 'stop', { ocppVersion }: Schemas['Charger']): string | null {
  return featuresOf(ocppVersion)?.remoteActions[command] ?? null;
}
