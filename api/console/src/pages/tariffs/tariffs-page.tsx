import { useSearchChange } from '../../app/use-search-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ImportLink } from '../imports/import-link.tsx';
import { usePriceWriter } from '../tariff/prices/use-price-writer.ts';
import { tariffsKey } from '../tariff/tariff-queries.ts';
import page from '../../ui/list-page.module.css';
import styles from './tariffs-page.module.css';
import { isFiltered, tariffsFilter, type TariffsSearch } from './tariffs-search.ts';
import type { TFunction } from 'i18next';
import type { Column } from '../../ui/table/columns.ts';
import { type PriceWriter, summaryText } from '../tariff/prices/price-words.ts';
import { Validity } from '../tariff/validity.tsx';

const pageSize = 50;

/** All tariffs: what they cost in words, and where they are assigned. */
export function TariffsPage() {
  const { t } = useTranslation(['tariffs', 'common']);
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/money/tariffs' });
  const list = useTariffs(search);
  const columns = useColumns();
  const change: (changed: TariffsSearch) => void = useSearchChange();
  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <div className={page['actions']}>
          <ImportLink kind="tariffs" scope="cpms:write:tariffs" />
          {useCan('cpms:write:tariffs') && (
            <Button kind="primary" onPress={() => void navigate({ to: '/money/tariffs/new' })}>
              <Plus aria-hidden size={16} />
              {t('new')}
            </Button>
          )}
        </div>
      </header>
      <Filters search={search} onChange={change} />
      <PageList
        list={list}
        empty={<Nothing isFilter={isFiltered(search)} />}
        label={t('title')}
        columns={columns}
        onOpen={({ id }) => void navigate({ to: '/money/tariffs/$uuid', params: { uuid: id } })}
        isBusy={list.isPlaceholderData}
      />
    </div>
  );
}

function useTariffs(search: TariffsSearch) {
  const network = useNetworkQuery();
  const filter = tariffsFilter(search);
  return useCursorList<ListedTariff>([...tariffsKey, network, filter], (cursor) =>
    bodies.GET('/cpms/v1/tariffs', { params: { query: { ...network, ...filter, pageSize, cursor } } }),
  );
}

function useColumns() {
  const { t } = useTranslation(['tariffs', 'session', 'common']);
  const writer = usePriceWriter('');
  const networks = useNetworks();
  return useMemo(() => {
    const nameOf = (id: number) => networks.find(({ networkId }) => networkId === id)?.name ?? absent;
    return tariffColumns(t, writer, networks.length > 1 ? nameOf : null);
  }, [t, writer, networks]);
}

/** Filters of the list; the address holds them. */
function Filters({ search, onChange }: { search: TariffsSearch; onChange: (change: TariffsSearch) => void }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const currencies = [...new Set(useNetworks().map(({ currency }) => currency))].toSorted();
  return (
    <search className={styles['filters']} aria-label={t('filters')}>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={search.name ?? ''}
        onChange={(name) => onChange({ name })}
      />
      <FilterSelect
        label={t('column.assigned')}
        any={t('any')}
        options={[
          { id: 'yes', text: t('assigned.yes') },
          { id: 'no', text: t('assigned.none') },
        ]}
        value={search.assigned}
        onChange={(assigned) => onChange({ assigned })}
      />
      {currencies.length > 1 && (
        <FilterSelect
          label={t('column.currency')}
          any={t('any')}
          options={currencies.map((id) => ({ id, text: id }))}
          value={search.currency}
          onChange={(currency) => onChange({ currency })}
        />
      )}
    </search>
  );
}

function Nothing({ isFilter }: { isFilter: boolean }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const canWrite = useCan('cpms:write:tariffs');
  if (isFilter) return <Empty title={t('common:empty.filtered')} />;
  return (
    <Empty title={t('empty')}>
      <p>{t('emptyHint')}</p>
      {canWrite && <Link to="/money/tariffs/new">{t('new')}</Link>}
    </Empty>
  );
}

type ListedTariff = Schemas['ListedTariff'];

const levels = ['network', 'location', 'charger', 'connector'] as const;

/** Columns of the list of tariffs; the network is a column for callers of several. */
function tariffColumns(
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
      width: 300,
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
      width: 210,
      phone: false,
      cell: (tariff) => <Validity tariff={tariff} />,
    },
  ];
}

/** Returns the numbers of assignments in words: `1 network, 3 chargers`. */
function assignedText(
  t: TFunction<['tariffs', 'session', 'common']>,
  assignments: ListedTariff['assignments'],
): string {
  const parts = levels
    .filter((level) => assignments[level] > 0)
    .map((level) => t(`assigned.${level}`, { count: assignments[level] }));
  return parts.length === 0 ? t('assigned.none') : parts.join(', ');
}
