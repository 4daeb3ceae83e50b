import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, bodies, type Schemas } from '../../../api/client.ts';
import { notifyFailure, useChange } from '../../../app/use-change.ts';
import { notify } from '../../../ui/toast.tsx';

export type Channel = Schemas['AlertChannel'];

export type ChannelDelivery = Schemas['AlertChannelDelivery'];

const pageSize = 50;
const key = ['alert-channels'];

/** Page of the channels, oldest first. */
export const readChannels = (network: { networkUuid?: string }, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/alert-channels', { params: { query: { ...network, pageSize, cursor } } });

/** Page of the deliveries of a channel, newest first. */
export const readChannelDeliveries = (uuid: string, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/alert-channels/{uuid}/deliveries', {
    params: { path: { uuid }, query: { pageSize, cursor } },
  });

const paramsOf = ({ id: uuid, version }: Channel) => ({
  path: { uuid },
  header: { 'if-match': `"${version}"` },
});

/** Creates a channel, or changes one. */
export function useChannelSaving(channel: Channel | null, onDone: () => void) {
  const { t } = useTranslation('alerts');
  return useChange({
    mutationFn: (fields: Schemas['CreateAlertChannelRequest']) => {
      if (channel === null) return api.POST('/cpms/v1/alert-channels', { body: fields });
      const { format: _format, networkUuid: _network, ...changed } = fields;
      return api.PATCH('/cpms/v1/alert-channels/{uuid}', { params: paramsOf(channel), body: changed });
    },
    invalidates: key,
    done: () => t('channels.saved'),
    onDone,
  });
}

/** Sends a test to a channel, and deletes it. */
export function useChannelActions(onDeleted: () => void) {
  const { t } = useTranslation('alerts');
  const queries = useQueryClient();
  const testing = useMutation({
    mutationFn: ({ id: uuid }: Channel) =>
      api.POST('/cpms/v1/alert-channels/{uuid}/test', { params: { path: { uuid } } }),
    onSuccess: async ({ outcome, error }, { name }) => {
      if (outcome === 'delivered') notify('done', t('channels.tested', { name }));
      else notify('failed', t('channels.testFailed', { name, error: error ?? '' }));
      await queries.invalidateQueries({ queryKey: key });
    },
    onError: notifyFailure,
  });
  const deleting = useChange({
    mutationFn: (channel: Channel) =>
      api.DELETE('/cpms/v1/alert-channels/{uuid}', { params: paramsOf(channel) }),
    invalidates: key,
    done: () => t('channels.deleted'),
    onDone: onDeleted,
    onError: notifyFailure,
  });
  return { testing, deleting };
}
