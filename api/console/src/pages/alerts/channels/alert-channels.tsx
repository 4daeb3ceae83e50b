import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useCan, useNetworks } from '../../../app/caller.tsx';
import { useNetworkQuery } from '../../../app/network-switcher.tsx';
import { absent } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Ellipsis } from '../../../ui/icons/icons.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Empty } from '../../../ui/notice.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { PageList } from '../../../ui/table/list-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import styles from '../alerts.module.css';
import { ChannelDeliveries } from './channel-deliveries.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { type Channel, readChannels, useChannelActions } from './channel-queries.ts';

type Opened = { kind: 'new' } | { kind: 'edit' | 'delete' | 'deliveries'; channel: Channel };

/** Channels that alerts are sent to in addition to e-mails, with their latest delivery. */
export function AlertChannels() {
  const { t } = useTranslation(['alerts', 'common']);
  const network = useNetworkQuery();
  const networks = useNetworks();
  const channels = useCursorList(['alert-channels', network], (cursor) => readChannels(network, cursor), {
    refetchInterval: 30_000,
  });
  const mayWrite = useCan('cpms:write:alerts');
  const mayCreate = mayWrite && (network.networkUuid !== undefined || networks.length <= 1);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const { testing, deleting } = useChannelActions(close);
  const columns = useChannelColumns({ open: setOpened, test: testing.mutate, mayWrite });
  return (
    <div className={styles['tab']}>
      {mayCreate && (
        <div className={styles['tools']}>
          <Button kind="primary" onPress={() => setOpened({ kind: 'new' })}>
            {t('channels.add')}
          </Button>
        </div>
      )}
      {mayWrite && !mayCreate && <p className={styles['hint']}>{t('channels.choose')}</p>}
      <PageList
        className={styles['list']}
        list={channels}
        empty={
          <Empty title={t('channels.none')}>
            <p>{t('channels.noneHint')}</p>
          </Empty>
        }
        label={t('tabs.channels')}
        columns={columns}
        onOpen={(channel) => setOpened({ kind: mayWrite ? 'edit' : 'deliveries', channel })}
      />
      {opened?.kind === 'new' && <ChannelDialog channel={null} onClose={close} />}
      {opened?.kind === 'edit' && <ChannelDialog channel={opened.channel} onClose={close} />}
      {opened?.kind === 'deliveries' && <ChannelDeliveries channel={opened.channel} onClose={close} />}
      {opened?.kind === 'delete' && (
        <ConfirmDialog
          title={t('channels.deleteTitle', { name: opened.channel.name })}
          action={t('channels.deleteAction')}
          onConfirm={() => deleting.mutate(opened.channel)}
          onClose={close}
        >
          <p>{t('channels.deleteText')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface Actions {
  open: (opened: Opened) => void;
  test: (channel: Channel) => void;
  mayWrite: boolean;
}

function useChannelColumns(actions: Actions): Column<Channel>[] {
  const { t } = useTranslation(['alerts', 'common']);
  return useMemo(
    () =>
      columnsOf(
        {
          name: { width: 160, phone: 118, grow: true, cell: ({ name }) => name },
          format: { width: 140, phone: false, cell: ({ format }) => t(`channels.formats.${format}`) },
          receives: { width: 180, phone: false, grow: true, cell: (channel) => receivesOf(channel, t) },
          state: { width: 220, phone: 132, grow: true, cell: (channel) => <Delivery channel={channel} /> },
          delivered: {
            width: 130,
            phone: false,
            cell: ({ lastDeliveredAt }) =>
              lastDeliveredAt === null ? absent : <RelativeTime value={lastDeliveredAt} />,
          },
          actions: {
            width: 90,
            phone: 76,
            cell: (channel) => <ChannelActions channel={channel} actions={actions} />,
          },
        },
        (id) => t(`channels.columns.${id}`),
      ),
    [t, actions],
  );
}

/** Returns what a channel receives, in words. */
function receivesOf(
  { kinds, minimumSeverity }: Channel,
  t: ReturnType<typeof useTranslation<['alerts', 'common']>>['t'],
): string {
  const which =
    kinds.length === 0 ? t('channels.selections.all') : t('channels.kindCount', { count: kinds.length });
  return minimumSeverity === 'warning' ? which : `${which} · ${t('channels.severities.critical')}`;
}

/** State of the delivery: the error while requests fail. */
function Delivery({
  channel: { isEnabled, failures, lastError, waiting, lastDeliveredAt },
}: {
  channel: Channel;
}) {
  const { t } = useTranslation('alerts');
  if (!isEnabled) return t('channels.state.off');
  if (failures > 0)
    return (
      <span className={styles['failure']}>{t('channels.state.failing', { error: lastError ?? '' })}</span>
    );
  if (waiting > 0) return t('channels.state.waiting', { count: waiting });
  return t(lastDeliveredAt === null ? 'channels.state.unused' : 'channels.state.delivered');
}

function ChannelActions({ channel, actions }: { channel: Channel; actions: Actions }) {
  const { t } = useTranslation('alerts');
  const { name } = channel;
  return (
    <Menu
      label={t('channels.more', { name })}
      trigger={
        <Button kind="quiet" isIcon aria-label={t('channels.more', { name })}>
          <Ellipsis aria-hidden size={16} />
        </Button>
      }
      groups={[
        [
          {
            id: 'deliveries',
            text: t('channels.deliveries.show'),
            onAction: () => actions.open({ kind: 'deliveries', channel }),
          },
        ],
        ...(actions.mayWrite
          ? [
              [
                { id: 'test', text: t('channels.test'), onAction: () => actions.test(channel) },
                {
                  id: 'edit',
                  text: t('channels.change'),
                  onAction: () => actions.open({ kind: 'edit', channel }),
                },
              ],
              [
                {
                  id: 'delete',
                  text: t('channels.delete'),
                  isDangerous: true,
                  onAction: () => actions.open({ kind: 'delete', channel }),
                },
              ],
            ]
          : []),
      ]}
    />
  );
}
