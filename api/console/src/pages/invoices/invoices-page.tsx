import { PageList } from '../../ui/table/list-table.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { SavedViews } from '../../app/saved-views/saved-views.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Empty } from '../../ui/notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import { invoiceColumns } from './invoice-columns.tsx';
import { InvoiceFilters } from './invoice-filters.tsx';
import { filterQuery, type InvoiceRow, type InvoicesSearch, isFiltered } from './invoices-search.ts';
import page from '../../ui/list-page.module.css';
import styles from './invoices-page.module.css';

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
    body(api.GET('/cpms/v1/invoices', { params: { query: { ...network, ...filter, pageSize, cursor } } })),
  );
  const columns = useMemo(() => {
    const name = (uuid: string) => networks.find(({ id }) => id === uuid)?.name ?? uuid;
    return invoiceColumns(t, formats, networks.length > 1 ? name : undefined);
  }, [t, formats, networks]);
  const [shown, choose] = useShownColumns('invoices', columns);
  const change = (changed: InvoicesSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
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
