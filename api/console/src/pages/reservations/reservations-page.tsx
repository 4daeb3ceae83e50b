import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, dataOf, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { useChargerCommand } from '../charger/use-charger-command.ts';
import { ReserveDialog } from './reserve-dialog.tsx';
import { useReservationColumns } from './reservation-columns.tsx';
import { ReservationFilters } from './reservation-filters.tsx';
import { filterQuery, type ReservationsSearch } from './reservations-search.ts';
import page from '../../ui/list-page.module.css';
import styles from './reservations.module.css';

type Reservation = Schemas['Reservation'];

const pageSize = 50;
const renewMs = 20_000;
/** Rows shown as loading before the first page. */
const expectedRows = 12;

/** Reservations of the network, newest first. */
export function ReservationsPage() {
  const { t } = useTranslation(['reservations', 'common']);
  const search = useSearch({ from: '/signed-in/charging/reservations' });
  const navigate = useNavigate({ from: '/charging/reservations' });
  const network = useNetworkQuery();
  const filters = filterQuery(search);
  const list = useCursorList(
    ['reservations', 'list', network, filters],
    (cursor) =>
      body(
        api.GET('/cpms/v1/reservations', {
          params: {
            query: { ...network, ...filters, pageSize, ...(cursor === undefined ? {} : { cursor }) },
          },
        }),
      ),
    { refetchInterval: renewMs },
  );
  const held = useHeldRows(list.rows, JSON.stringify([network, filters]));
  const mayCommand = useCan('cpms:command:reservation');
  const mayReadChargers = useCan('cpms:read:chargers');
  const [dialog, setDialog] = useState<'new' | Reservation | null>(null);
  const close = () => setDialog(null);
  const cancel = useChargerCommand(
    (uuid: string) => dataOf(api.DELETE('/cpms/v1/reservations/{uuid}', { params: { path: { uuid } } })),
    { queryKey: ['reservations'], done: t('cancelled') },
  );
  const columns = useColumns(mayCommand ? setDialog : null);
  const change = (changed: { [Name in keyof ReservationsSearch]?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <NewRows held={held} />
        {mayCommand && mayReadChargers && (
          <Button kind="primary" onPress={() => setDialog('new')}>
            {t('new.open')}
          </Button>
        )}
      </header>
      <ReservationFilters search={search} onChange={change} />
      <StaleNotice query={list} />
      <div className={page['list']} {...held.handlers}>
        {list.error !== null && list.data === undefined ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.data !== undefined && list.rows.length === 0 ? (
          <Empty title={t(Object.keys(filters).length > 0 ? 'common:empty.filtered' : 'empty')} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            count={list.data === undefined ? expectedRows : list.count - held.waiting}
            rowAt={(index) => held.rows[index]}
            keyOf={({ id }) => id}
            onRange={list.onRange}
          />
        )}
      </div>
      {dialog === 'new' && <ReserveDialog onClose={close} />}
      {dialog !== null && dialog !== 'new' && (
        <ConfirmDialog
          title={t('cancel.title', { number: dialog.reservationId })}
          action={t('cancel.action')}
          onConfirm={() => cancel.mutate(dialog.id)}
          onClose={close}
        >
          <p>{t('cancel.detail', { token: dialog.idTag, charger: dialog.chargePointId })}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Columns of the reservations of all chargers: the charger and the session, in addition to the columns of one charger. */
function useColumns(onCancel: ((reservation: Reservation) => void) | null): Column<Reservation>[] {
  const { t } = useTranslation('reservations');
  const columns = useReservationColumns(onCancel);
  return useMemo(() => {
    const charger: Column<Reservation> = {
      id: 'charger',
      title: t('columns.charger'),
      width: 130,
      grow: true,
      cell: ({ chargerId, chargePointId }) => (
        <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
          {chargePointId}
        </Link>
      ),
    };
    const session: Column<Reservation> = {
      id: 'session',
      title: t('columns.session'),
      width: 104,
      cell: ({ sessionId }) =>
        sessionId === null ? (
          absent
        ) : (
          <Link to="/charging/sessions/$uuid" params={{ uuid: sessionId }}>
            {t('page.openSession')}
          </Link>
        ),
    };
    return [...columns.slice(0, 1), charger, ...columns.slice(1, -1), session, ...columns.slice(-1)];
  }, [t, columns]);
}
