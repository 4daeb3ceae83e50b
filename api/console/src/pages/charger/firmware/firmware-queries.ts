import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../../api/client.ts';

/** Interval in ms at which a running update is looked at. */
const progressMs = 4000;

export const firmwareStatusQuery = (chargerUuid: string) =>
  queryOptions({
    queryKey: ['firmware', 'status', chargerUuid],
    queryFn: () =>
      api.GET('/cpms/v1/chargers/{chargerUuid}/firmware/status', { params: { path: { chargerUuid } } }),
    refetchInterval: ({ state }) => (state.data?.lastFirmwareUpdate?.outcome === null ? progressMs : false),
  });

export const imagesQuery = (modelId: string, status: 'Complete' | 'Pending') =>
  queryOptions({
    queryKey: ['firmware', 'images', modelId, status],
    queryFn: () =>
      api.GET('/cpms/v1/charger-models/{modelId}/firmware', {
        params: { path: { modelId }, query: { pageSize: 100, status } },
      }),
  });

/** Reported status of an update. */
export interface Progress {
  time: string;
  status: string;
}

const reports = [
  'FirmwareStatusNotification',
  'SignedFirmwareStatusNotification',
  'PublishFirmwareStatusNotification',
];

/** Time in ms within which the log has a status, unless it lacks it. */
const logDelayMs = 30_000;

const isRecent = ({ statusAt }: Schemas['FirmwareUpdate']) => Date.now() - Date.parse(statusAt) < logDelayMs;

/** Statuses that the charger reported since an update was requested, oldest first, from the message log. */
export const progressQuery = (uuid: string, update: Schemas['FirmwareUpdate']) =>
  queryOptions({
    queryKey: ['firmware', 'progress', uuid, update.id],
    queryFn: async () => {
      const pages = await Promise.all(
        reports.map((action) =>
          bodies.GET('/cpms/v1/chargers/{uuid}/messages', {
            params: {
              path: { uuid },
              query: { action, direction: 'in', from: update.requestedAt, pageSize: 100 },
            },
          }),
        ),
      );
      return pages
        .flatMap(({ data }) => data)
        .flatMap((message): Progress[] => {
          const status = message.kind === 'call' ? statusOf(message.payload) : null;
          return status === null ? [] : [{ time: message.time, status }];
        })
        .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
    },
    // The log is written up to two seconds after the status.
    refetchInterval: ({ state }) =>
      update.outcome === null || (isRecent(update) && state.data?.at(-1)?.status !== update.status)
        ? progressMs
        : false,
  });

/** Returns the status of a call's frame, `[2, id, action, { status }]`. Idle reports no progress. */
function statusOf(frame: string): string | null {
  try {
    const [, , , payload] = JSON.parse(frame) as [number, string, string, { status?: string }];
    return payload.status === undefined || payload.status === 'Idle' ? null : payload.status;
  } catch {
    // The payload was cut.
    return null;
  }
}
