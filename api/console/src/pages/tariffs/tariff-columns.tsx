import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { Schemas } from '../../api/client.ts';
import type { Column } from '../../ui/table/columns.ts';
import { type PriceWriter, summaryText } from '../tariff/prices/price-words.ts';
import { Validity } from '../tariff/validity.tsx';

export type ListedTariff = Schemas['ListedTariff'];

const levels = ['network', 'location', 'charger', 'connector'] as const;

/** Columns of the list of tariffs; the network is a column for callers of several. */
export function tariffColumns(
  t: TFunction<['tariffs', 'session', 'common']>,
  writer: Omit<PriceWriter, 'currency'>,
  networkName: ((networkId: number) => string) | null,
): Column<ListedTariff>[] {
  return [
    {
      id: 'name',
      title: t('column.name'),
      width: 170,
      phone: 150,
      grow: true,
      cell: ({ id, name }) => (
        <Link to="/money/tariffs/$uuid" params={{ uuid: id }}>
          {name}
        </Link>
      ),
    },
    ...(networkName === null
      ? []
      : [
          {
            id: 'network',
            title: t('common:network.label'),
            width: 140,
            phone: false as const,
            cell: ({ networkId }: ListedTariff) => networkName(networkId),
          },
        ]),
    {
      id: 'currency',
      title: t('column.currency'),
      width: 90,
      phone: false,
      cell: ({ currency }) => currency,
    },
    {
      id: 'prices',
      title: t('column.prices'),
      width: 340,
      phone: 200,
      grow: true,
      cell: (tariff) => {
        const text = summaryText({ ...writer, currency: tariff.currency }, tariff);
        return <span title={text}>{text}</span>;
      },
    },
    {
      id: 'assigned',
      title: t('column.assigned'),
      width: 200,
      phone: false,
      cell: ({ assignments }) => assignedText(t, assignments),
    },
    {
      id: 'version',
      title: t('column.version'),
      width: 80,
      phone: false,
      isNumber: true,
      cell: ({ version }) => version,
    },
    {
      id: 'valid',
      title: t('column.valid'),
      width: 250,
      phone: false,
      cell: (tariff) => <Validity tariff={tariff} />,
    },
  ];
}

/** Returns the numbers of assignments in words: `1 network, 3 chargers`. */
export function assignedText(
  t: TFunction<['tariffs', 'session', 'common']>,
  assignments: ListedTariff['assignments'],
): string {
  const parts = levels
    .filter((level) => assignments[level] > 0)
    .map((level) => t(`assigned.${level}`, { count: assignments[level] }));
  return parts.length === 0 ? t('assigned.none') : parts.join(', ');
}
