import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { amountOf, kindsOf } from './cost-series.ts';
import type { Simulation } from './use-simulation.ts';

type Point = Simulation['series'][number];

/** The points of the plot as a table: components without VAT, and the totals without and with it. */
export function SimulationTable({ simulation, timeZone }: { simulation: Simulation; timeZone: string }) {
  const { t } = useTranslation(['session', 'tariffSimulator', 'common']);
  const formats = useFormats(timeZone);
  const columns = useMemo((): Column<Point>[] => {
    const money = (amount: number | string) => formats.money(amount, simulation.currency);
    return [
      {
        id: 'time',
        title: t('common:chart.time'),
        width: 132,
        grow: true,
        cell: ({ time }) => formats.shortDateTime(time),
      },
      {
        id: 'energy',
        title: t('price.kind.ENERGY'),
        width: 90,
        isNumber: true,
        cell: ({ energyKwh }) => formats.energy(energyKwh),
      },
      {
        id: 'net',
        title: t('tariffSimulator:withoutVat'),
        width: 110,
        isNumber: true,
        cell: ({ net }) => money(net),
      },
      {
        id: 'gross',
        title: t('tariffSimulator:withVat'),
        width: 110,
        isNumber: true,
        cell: ({ gross }) => money(gross),
      },
      ...kindsOf(simulation).map((kind) => ({
        id: kind,
        title: t('tariffSimulator:kindNet', { kind: t(`price.kind.${kind}`) }),
        width: 120,
        isNumber: true,
        cell: (point: Point) => money(amountOf(point, kind, 'net')),
      })),
    ];
  }, [t, formats, simulation]);
  return (
    <DataTable
      label={t('tariffSimulator:table')}
      columns={columns}
      count={simulation.series.length}
      rowAt={(index) => simulation.series[index]}
      keyOf={({ time }) => time}
      height={320}
    />
  );
}
