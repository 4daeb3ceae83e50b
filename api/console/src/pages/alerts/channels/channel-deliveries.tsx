import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../../api/cursor-list.ts';
import { absent } from '../../../texts/formats.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Empty } from '../../../ui/notice.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { PageList } from '../../../ui/table/list-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import styles from '../alerts.module.css';
import { type Channel, type ChannelDelivery, readChannelDeliveries } from './channel-queries.ts';

/** Deliveries of a channel with their latest attempts, newest first. */
export function ChannelDeliveries({
  channel: { id, name },
  onClose,
}: {
  channel: Channel;
  onClose: () => void;
}) {
  const { t } = useTranslation('alerts');
  const deliveries = useCursorList(
    ['alert-channels', id, 'deliveries'],
    (cursor) => readChannelDeliveries(id, cursor),
    { refetchInterval: 30_000 },
  );
  const columns = useDeliveryColumns();
  const title = t('channels.deliveries.title', { name });
  return (
    <Dialog title={title} isOpen onClose={onClose} shape="wide">
      <PageList
        className={styles['list']}
        list={deliveries}
        empty={<Empty title={t('channels.deliveries.none')} />}
        label={title}
        columns={columns}
      />
    </Dialog>
  );
}

function useDeliveryColumns(): Column<ChannelDelivery>[] {
  const { t } = useTranslation('alerts');
  return useMemo(
    () =>
      columnsOf(
        {
          alert: {
            width: 220,
            phone: 150,
            grow: true,
            cell: ({ kind, resourceName, location }) =>
              [t(`kind.${kind}`), resourceName ?? location].filter((part) => part !== null).join(' · '),
          },
          cause: { width: 130, phone: false, cell: ({ cause }) => t(`channels.deliveries.causes.${cause}`) },
          state: { width: 190, phone: 150, grow: true, cell: (delivery) => <State delivery={delivery} /> },
          tries: { width: 80, phone: false, isNumber: true, cell: ({ tries }) => tries },
          time: {
            width: 130,
            phone: false,
            cell: ({ lastTriedAt }) => (lastTriedAt === null ? absent : <RelativeTime value={lastTriedAt} />),
          },
        },
        (id) => t(`channels.deliveries.columns.${id}`),
      ),
    [t],
  );
}

function State({ delivery: { state, error, tries } }: { delivery: ChannelDelivery }) {
  const { t } = useTranslation('alerts');
  if (error !== null)
    return <span className={styles['failure']}>{t(`channels.deliveries.failures.${state}`, { error })}</span>;
  return t(`channels.deliveries.states.${state === 'waiting' && tries > 0 ? 'sending' : state}`);
}
