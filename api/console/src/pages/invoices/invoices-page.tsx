import { useSearchChange } from '../../app/use-search-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworks, useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { SavedViews } from '../../app/saved-views/saved-views.tsx';
import { useFormats, absent, type Formats } from '../../texts/formats.ts';
import { Empty } from '../../ui/notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import {
  filterQuery,
  type InvoiceRow,
  type InvoicesSearch,
  isFiltered,
  kinds,
  paymentStates,
  withoutFilters,
} from './invoices-search.ts';
import page from '../../ui/list-page.module.css';
import styles from './invoices-page.module.css';
import { bound } from '../../ui/bound.ts';
import { X } from '../../ui/icons/icons.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { DriverChoice } from '../../ui/driver-choice.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { TFunction } from 'i18next';
import type { Column } from '../../ui/table/columns.ts';
import { InvoiceState } from './invoice-state.tsx';

const pageSize = 100;

/** Invoices and credit notes of the caller's networks. */
export function InvoicesPage() {
  const { t } = useTranslation('invoices');
  const formats = useFormats();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/money/invoices' });
  const network = useNetworkQuery();
  const networks = useNetworks();
  const filter = filterQuery(search, formats.timeZone);
  const list = useCursorList<InvoiceRow>(['invoices', 'list', network, filter], (cursor) =>
    bodies.GET('/cpms/v1/invoices', { params: { query: { ...network, ...filter, pageSize, cursor } } }),
  );
  const columns = useMemo(() => {
    const name = (uuid: string) => networks.find(({ id }) => id === uuid)?.name ?? uuid;
    return invoiceColumns(t, formats, networks.length > 1 ? name : undefined);
  }, [t, formats, networks]);
  const [shown, choose] = useShownColumns('invoices', columns);
  const change: (changed: InvoicesSearch) => void = useSearchChange();
  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <div className={styles['tools']}>
          <SavedViews page="invoices" search={search} />
          <ColumnChoice columns={columns} shown={shown} onChoose={choose} />
        </div>
      </header>
      <InvoiceFilters search={search} onChange={change} />
      <PageList
        list={list}
        empty={<Empty title={t(isFiltered(search) ? 'noneMatch' : 'empty')} />}
        label={t('list')}
        columns={columns}
        shown={shown}
        onOpen={({ id }) => void navigate({ to: '/money/invoices/$uuid', params: { uuid: id } })}
      />
    </div>
  );
}

interface Props {
  search: InvoicesSearch;
  onChange: (changed: InvoicesSearch) => void;
}

/** Filters of the list; the address holds them. */
function InvoiceFilters({ search, onChange }: Props) {
  const { t } = useTranslation('invoices');
  const readsDrivers = useCan('cpms:read:users');
  return (
    <search className={styles['filters']} aria-label={t('filters')}>
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      <FilterSelect
        label={t('stateLabel')}
        any={t('any')}
        options={paymentStates.map((id) => ({ id, text: t(`state.${id}`) }))}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label={t('kindLabel')}
        any={t('any')}
        options={kinds.map((id) => ({ id, text: t(`kind.${id}`) }))}
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
      />
      {readsDrivers && (
        <DriverChoice label={t('driver')} placeholder={t('any')} {...bound(search, onChange, 'userId')} />
      )}
      <DateField label={t('from')} value={search.from ?? ''} onChange={(from) => onChange({ from })} />
      <DateField label={t('to')} value={search.to ?? ''} onChange={(to) => onChange({ to })} />
      {isFiltered(search) && (
        <Button kind="quiet" onPress={() => onChange(withoutFilters)}>
          <X aria-hidden size={15} />
          {t('clear')}
        </Button>
      )}
    </search>
  );
}

/** Columns of the list of invoices. `networkName`: names a network; undefined if the caller has only one. */
function invoiceColumns(
  t: TFunction<'invoices'>,
  formats: Formats,
  networkName: ((uuid: string) => string) | undefined,
): Column<InvoiceRow>[] {
  const money = (
    id: 'net' | 'vat' | 'total' | 'due',
    of: (invoice: InvoiceRow) => number,
    isShown = true,
  ): Column<InvoiceRow> => ({
    id,
    title: t(`column.${id}`),
    width: 108,
    phone: id === 'total' ? 108 : false,
    isNumber: true,
    isShown,
    cell: (invoice) => formats.money(of(invoice), invoice.currency),
  });
  return [
    {
      id: 'number',
      title: t('column.number'),
      width: 124,
      cell: ({ id, invoiceNumber }) => (
        <Link to="/money/invoices/$uuid" params={{ uuid: id }}>
          {invoiceNumber}
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('column.state'),
      width: 140,
      phone: 116,
      cell: ({ paymentState }) => <InvoiceState state={paymentState} />,
    },
    money('total', ({ totalInclVat }) => totalInclVat),
    money('due', ({ due }) => due),
    { id: 'kind', title: t('column.kind'), width: 140, phone: false, cell: ({ kind }) => t(`kind.${kind}`) },
    {
      id: 'issued',
      title: t('column.issued'),
      width: 180,
      phone: false,
      cell: ({ issuedAt }) => <time dateTime={issuedAt}>{formats.dateTime(issuedAt)}</time>,
    },
    {
      id: 'buyer',
      title: t('column.buyer'),
      width: 150,
      phone: false,
      grow: true,
      cell: ({ buyerName }) => buyerName ?? absent,
    },
    ...(networkName === undefined
      ? []
      : [
          {
            id: 'network',
            title: t('column.network'),
            width: 120,
            phone: false as const,
            grow: true,
            cell: ({ networkId }: InvoiceRow) => networkName(networkId),
          },
        ]),
    {
      id: 'sessions',
      title: t('column.sessions'),
      width: 100,
      phone: false,
      isNumber: true,
      cell: ({ transactionCount }) => formats.integer(transactionCount),
    },
    money('net', ({ totalExclVat }) => totalExclVat, false),
    money('vat', ({ totalVat }) => totalVat, false),
    { id: 'id', title: t('column.id'), width: 300, isShown: false, cell: ({ id }) => id },
  ];
}
