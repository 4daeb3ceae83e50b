import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Empty } from '../../ui/notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { RelativeTime } from '../../ui/time.tsx';
import page from '../../ui/list-page.module.css';
import { readRejectedConnections, type RejectedConnection } from './rejected-connections-queries.ts';

const renewMs = 10_000;

/** Chargers that try to connect and are rejected, with the reason, newest first. */
export function RejectedConnectionsPage() {
  const { t } = useTranslation('rejectedConnections');
  const network = useNetworkQuery();
  const list = useCursorList(
    ['rejected-connections', 'list', network],
    (cursor) => readRejectedConnections(network, cursor),
    { refetchInterval: renewMs },
  );
  const held = useHeldRows(list.rows, network.networkUuid ?? 'all');
  const columns = useColumns();
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <NewRows held={held} />
      </header>
      <p>{t('lead')}</p>
      <PageList
        list={list}
        held={held}
        empty={
          <Empty title={t('none')}>
            <p>{t('noneHint')}</p>
          </Empty>
        }
        label={t('title')}
        columns={columns}
      />
    </div>
  );
}

function useColumns(): Column<RejectedConnection>[] {
  const { t } = useTranslation('rejectedConnections');
  const formats = useFormats();
  const mayRegister = useCan('cpms:write:chargers');
  return useMemo(
    () =>
      columnsOf(
        {
          identity: {
            width: 170,
            phone: 120,
            grow: true,
            cell: ({ identity, chargerId }) =>
              chargerId === null ? (
                identity
              ) : (
                <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
                  {identity}
                </Link>
              ),
          },
          reason: { width: 320, phone: 150, grow: true, cell: ({ reason }) => t(`reasons.${reason}`) },
          remoteAddress: { width: 150, phone: false, cell: ({ remoteAddress }) => remoteAddress },
          attempts: {
            width: 100,
            phone: false,
            isNumber: true,
            cell: ({ attempts }) => formats.integer(attempts),
          },
          firstAt: { width: 130, phone: false, cell: ({ firstAt }) => <RelativeTime value={firstAt} /> },
          lastAt: { width: 130, phone: 96, cell: ({ lastAt }) => <RelativeTime value={lastAt} /> },
          action: {
            width: 110,
            phone: false,
            cell: ({ chargerId, identity }) =>
              chargerId === null &&
              mayRegister && (
                <Link to="/start" search={{ charger: 'new', identity }}>
                  {t('register')}
                </Link>
              ),
          },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats, mayRegister],
  );
}
