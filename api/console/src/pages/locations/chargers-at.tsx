import { allRows, ListTable } from '../../ui/table/list-table.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { chargersAtQuery } from './location-queries.ts';

type Charger = Schemas['ChargerSummary'];

/** Chargers at a location, with their states. */
export function ChargersAt({ location: { id } }: { location: Schemas['Location'] }) {
  const { t } = useTranslation('locations');
  const navigate = useNavigate();
  const query = useQuery(chargersAtQuery(id));
  const columns = useColumns();
  const show = (
    <Link to="/fleet/chargers" search={{ location: id }}>
      {t('showChargers')}
    </Link>
  );
  return (
    <Card title={t('chargers')} actions={show} hasPadding={false}>
      <ListTable
        list={allRows(query)}
        empty={<Empty title={t('noChargers')} />}
        rowsAhead={4}
        label={t('chargers')}
        columns={columns}
        height={420}
        onOpen={(charger) => void navigate({ to: '/fleet/chargers/$uuid', params: { uuid: charger.id } })}
      />
    </Card>
  );
}

function useColumns(): Column<Charger>[] {
  const { t } = useTranslation('chargers');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          uid: {
            width: 180,
            phone: 110,
            grow: true,
            cell: ({ id, uid }) => (
              <Link to="/fleet/chargers/$uuid" params={{ uuid: id }}>
                {uid}
              </Link>
            ),
          },
          state: { width: 140, phone: 120, cell: ({ state }) => <StateBadge state={state} /> },
          model: { width: 180, phone: false, grow: true, cell: ({ modelName }) => modelName ?? absent },
          power: { width: 110, phone: 96, isNumber: true, cell: ({ powerKw }) => formats.power(powerKw) },
          sessions: {
            width: 100,
            phone: false,
            isNumber: true,
            cell: ({ runningSessions }) => formats.integer(runningSessions),
          },
        },
        (id) => t(`column.${id}`),
      ),
    [t, formats],
  );
}
