import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { Readings } from './curves.ts';

const measurands = [
  ['power', 'powerKw', 'kW'],
  ['soc', 'socPercent', '%'],
  ['current', 'currentA', 'A'],
  ['voltage', 'voltageV', 'V'],
] as const;

/** The readings of the charts as a table. */
export function ReadingsTable({ readings }: { readings: Readings }) {
  const { t } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const columns = useMemo((): Column<number>[] => {
    const energyAt = (index: number) => {
      const kwh = readings.sessionEnergyKwh?.[index] ?? null;
      return kwh === null ? absent : `${formats.number(kwh, 3)} kWh`;
    };
    return [
      {
        id: 'time',
        title: t('common:chart.time'),
        width: 180,
        grow: true,
        cell: (index) => formats.dateTime((readings.time[index] ?? 0) * 1000),
      },
      { id: 'energy', title: t('chart.energy'), width: 130, isNumber: true, cell: energyAt },
      ...measurands.map(([id, name, unit]) => ({
        id,
        title: t(`chart.${id}`),
        width: 120,
        isNumber: true,
        cell: (index: number) => {
          const value = readings[name]?.mean[index] ?? null;
          return value === null ? absent : `${formats.number(value, 2)} ${unit}`;
        },
      })),
    ];
  }, [t, formats, readings]);
  return (
    <DataTable
      label={t('chart.table')}
      columns={columns}
      count={readings.time.length}
      rowAt={(index) => index}
      keyOf={(index) => String(readings.time[index])}
      height={480}
    />
  );
}
