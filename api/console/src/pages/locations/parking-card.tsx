import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { features, type ParkingPlace, rules } from './parking-draft.ts';

const ParkingDialog = lazy(async () => ({ default: (await import('./parking-dialog.tsx')).ParkingDialog }));

const maxPlaces = 500;

/** Parking places of a location. */
export function ParkingCard({ location }: { location: Schemas['Location'] }) {
  const { t } = useTranslation('parking');
  const mayWrite = useCan('cpms:write:locations');
  // Index of the edited place; null: a new one; undefined: none.
  const [edited, setEdited] = useState<number | null | undefined>(undefined);
  const columns = useColumns();
  const places = location.parkingPlaces;
  return (
    <Card
      title={t('title')}
      hasPadding={false}
      actions={
        mayWrite && (
          <Button isDisabled={places.length >= maxPlaces} onPress={() => setEdited(null)}>
            {t('add')}
          </Button>
        )
      }
    >
      {places.length === 0 ? (
        <Empty title={t('none')} />
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          count={places.length}
          rowAt={(index) => places[index]}
          keyOf={({ id }) => id}
          height={320}
          {...(mayWrite && { onOpen: (place: ParkingPlace) => setEdited(places.indexOf(place)) })}
        />
      )}
      {edited !== undefined && (
        <Suspense>
          <ParkingDialog location={location} index={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </Card>
  );
}

function useColumns(): Column<ParkingPlace>[] {
  const { t } = useTranslation('parking');
  const formats = useFormats();
  return useMemo(
    () => [
      { id: 'id', title: t('column.place'), width: 120, phone: 80, cell: ({ id }) => id },
      {
        id: 'reference',
        title: t('reference'),
        width: 150,
        phone: false,
        cell: ({ physicalReference }) => physicalReference ?? absent,
      },
      {
        id: 'vehicles',
        title: t('vehicle.label'),
        width: 200,
        phone: 140,
        grow: true,
        cell: ({ vehicleTypes }) => vehicleTypes.map((type) => t(`vehicle.${type}`)).join(', '),
      },
      {
        id: 'notes',
        title: t('column.notes'),
        width: 220,
        phone: false,
        grow: true,
        cell: (place) =>
          [
            ...rules.flatMap((rule) => (place[rule] ? [t(`rule.${rule}`)] : [])),
            ...features.flatMap((feature) => (place[feature] === true ? [t(`feature.${feature}`)] : [])),
          ].join(', ') || absent,
      },
      {
        id: 'limit',
        title: t('column.limit'),
        width: 110,
        phone: 90,
        isNumber: true,
        cell: ({ timeLimit }) => (timeLimit === undefined ? absent : formats.span(timeLimit, 'minute')),
      },
    ],
    [t, formats],
  );
}
