import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { NewRows } from '../../ui/table/new-rows.tsx';
import { useHeldRows } from '../../ui/table/use-held-rows.ts';
import { useChargerCommand } from '../charger/use-charger-command.ts';
import { useReservationColumns } from './reservation-columns.tsx';
import { filterQuery, type ReservationsSearch } from './reservations-search.ts';
import page from '../../ui/list-page.module.css';
import styles from './reservations.module.css';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../ui/dialog.tsx';
import { ChargerChoice } from '../../ui/fleet-choice.tsx';
import { chargerQuery } from '../charger/charger-queries.ts';
import { NewReservationDialog } from '../charger/reservations/new-reservation-dialog.tsx';
import { bound } from '../../ui/bound.ts';
import { reservationStatuses } from '#shared/domain/charging/reservation.ts';
import { TextField, FilterSelect } from '../../ui/field.tsx';

type Reservation = Schemas['Reservation'];

const pageSize = 50;
const renewMs = 20_000;

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
      bodies.GET('/cpms/v1/reservations', {
        params: { query: { ...network, ...filters, pageSize, cursor } },
      }),
    { refetchInterval: renewMs },
  );
  const held = useHeldRows(list.rows, JSON.stringify([network, filters]));
  const mayCommand = useCan('cpms:command:reservation');
  const mayReadChargers = useCan('cpms:read:chargers');
  const [dialog, setDialog] = useState<'new' | Reservation | null>(null);
  const close = () => setDialog(null);
  const cancel = useChargerCommand(
    (uuid: string) => api.DELETE('/cpms/v1/reservations/{uuid}', { params: { path: { uuid } } }),
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
      <PageList
        list={list}
        held={held}
        empty={<Empty title={t(Object.keys(filters).length > 0 ? 'common:empty.filtered' : 'empty')} />}
        label={t('title')}
        columns={columns}
      />
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

/** Chooses a charger, and then reserves one of its connectors. */
function ReserveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('reservations');
  const [chosen, setChosen] = useState<string | undefined>();
  const { data: charger, error } = useQuery({
    ...chargerQuery(chosen ?? ''),
    enabled: chosen !== undefined,
    refetchInterval: false,
  });
  if (chosen !== undefined && charger !== undefined)
    return <NewReservationDialog charger={charger} onClose={onClose} />;
  return (
    <Dialog title={t('page.newTitle')} isOpen onClose={onClose}>
      <ChargerChoice
        label={t('columns.charger')}
        placeholder={t('page.choose')}
        value={chosen}
        onChange={setChosen}
      />
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

/** Filters of the reservations; the address holds them. */
function ReservationFilters({
  search,
  onChange,
}: {
  search: ReservationsSearch;
  onChange: (changed: { [Name in keyof ReservationsSearch]?: string | undefined }) => void;
}) {
  const { t } = useTranslation('reservations');
  const mayReadChargers = useCan('cpms:read:chargers');
  const [token, setToken] = useState(search.token ?? '');
  return (
    <search className={styles['filters']} aria-label={t('page.filters')}>
      <FilterSelect
        label={t('columns.status')}
        any={t('anyStatus')}
        options={reservationStatuses.map((id) => ({ id, text: t(`status.${id}`) }))}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      {mayReadChargers && (
        <ChargerChoice
          label={t('columns.charger')}
          placeholder={t('page.anyCharger')}
          {...bound(search, onChange, 'charger')}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ token: token.trim() === '' ? undefined : token.trim() });
        }}
      >
        <TextField
          label={t('columns.token')}
          type="search"
          placeholder={t('page.tokenHint')}
          maxLength={longestIdTokenLimit}
          value={token}
          onChange={(text) => {
            setToken(text);
            if (text === '') onChange({ token: undefined });
          }}
        />
      </form>
    </search>
  );
}
