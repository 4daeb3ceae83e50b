import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ListChecks, Plus, X } from '../../ui/icons/icons.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCaller } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { SavedViews } from '../../app/saved-views/saved-views.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useOcppWords } from '../../texts/ocpp-words.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { bulkScopes, NewBulkJob } from '../bulk-jobs/new-bulk-job.tsx';
import { ImportLink } from '../imports/import-link.tsx';
import { chargerColumns } from './charger-columns.tsx';
import { ChargerFilters } from './charger-filters.tsx';
import { countsQuery, csvAddress } from './chargers-queries.ts';
import { filterQuery, isFiltered, type SearchChange, sortOf, sortText, statesOf } from './chargers-search.ts';
import { StateFilter } from './state-filter.tsx';
import { useChargerRows } from './use-charger-rows.ts';
import page from '../../ui/list-page.module.css';
import styles from './chargers-page.module.css';
import type { Selection } from '../../ui/table/selection.tsx';
import type { Schemas } from '../../api/client.ts';

type Row = Schemas['ChargerSummary'];

/** Most chargers that a job takes by their ids; a filter takes any number. */
const maxIds = 10_000;

/** Chosen chargers of a list: some by their ids, or all that match. */
interface Chosen {
  of: string;
  ids: readonly string[] | 'all';
}

/**
 * Chosen rows of the list of chargers. Another list has none.
 * @param list name of the list, by network and filters
 */
function useSelection(list: string, total: number | undefined) {
  const [chosen, setChosen] = useState<Chosen>({ of: list, ids: [] });
  const ids = chosen.of === list ? chosen.ids : [];
  const set = (next: Chosen['ids']) => setChosen({ of: list, ids: next });
  const isAll = ids === 'all';
  const known = new Set(isAll ? [] : ids);
  const selection: Selection<Row> = {
    isAll,
    isSelected: (key) => known.has(key),
    toggle: (key) =>
      set(known.has(key) ? [...known].filter((id) => id !== key) : [...known, key].slice(-maxIds)),
    toggleAll: () => set(isAll ? [] : 'all'),
    nameOf: ({ uid }) => uid,
  };
  return {
    selection,
    ids,
    count: isAll ? (total ?? 0) : known.size,
    selectAll: () => set('all'),
    clear: () => set([]),
  };
}

/** Rows shown as loading before the first page. */
const expectedRows = 40;

/** All chargers: counts by state, filters and the list. */
export function ChargersPage() {
  const { t } = useTranslation(['chargers', 'common']);
  const formats = useFormats();
  const words = useOcppWords();
  const navigate = useNavigate({ from: '/fleet/chargers' });
  const search = useSearch({ from: '/signed-in/fleet/chargers' });
  const network = useNetworkQuery();
  const counts = useQuery(countsQuery(search, network)).data;
  const rows = useChargerRows(search);
  // Chargers of the dialog: the chosen ones, or all that match.
  const [commanded, setCommanded] = useState<'chosen' | 'all' | null>(null);
  const selected = useSelection(JSON.stringify([network, filterQuery(search)]), rows.total);
  const { scopes } = useCaller();
  const mayRegister = scopes.includes('cpms:write:chargers');
  const mayCommand = bulkScopes.some((scope) => scopes.includes(scope));
  const columns = useMemo(() => chargerColumns(t, formats, words), [t, formats, words]);
  const [shown, choose] = useShownColumns('chargers', columns);
  const change = (changed: SearchChange) =>
    void navigate({
      search: (before) => ({ ...before, ...changed }),
      // Another list begins at its first row.
      resetScroll: false,
      replace: true,
    });
  const states = statesOf(search);
  const counted =
    counts === undefined
      ? undefined
      : states.length === 0
        ? counts.total
        : states.reduce((sum, state) => sum + counts.states[state], 0);
  // While the next list loads, the bar keeps the number of the last one.
  const [lastTotal, setLastTotal] = useState(rows.total);
  if (rows.total !== undefined && rows.total !== lastTotal) setLastTotal(rows.total);
  const shownTotal = rows.total ?? lastTotal;
  const known = rows.total ?? counted;
  const count = known ?? expectedRows;
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <div className={`${page['actions']} ${styles['tools']}`}>
          <p role="status">{known !== undefined && t('common:table.rows', { count: known })}</p>
          <SavedViews page="chargers" search={search} />
          <ColumnChoice columns={columns} shown={shown} onChoose={choose} />
          <a className={buttonClass('quiet')} href={csvAddress(search, network)} download>
            <Download aria-hidden size={15} />
            {t('common:action.download')}
          </a>
          <ImportLink kind="chargers" scope="cpms:write:chargers" />
          {mayCommand && rows.total !== undefined && rows.total > 0 && (
            <Button onPress={() => setCommanded('all')}>
              <ListChecks aria-hidden size={15} />
              {t('command')}
            </Button>
          )}
          {mayRegister && (
            <Link to="/start" search={{ charger: 'new' }} className={buttonClass('primary')}>
              <Plus aria-hidden size={15} />
              {t('add')}
            </Link>
          )}
        </div>
      </header>
      {commanded !== null && rows.total !== undefined && (
        <NewBulkJob
          target={
            commanded === 'all' || selected.ids === 'all'
              ? { filter: filterQuery(search) }
              : { chargerUuids: [...selected.ids] }
          }
          count={commanded === 'all' ? rows.total : selected.count}
          onClose={() => setCommanded(null)}
        />
      )}
      <StateFilter counts={counts} search={search} onChange={change} />
      <ChargerFilters search={search} counts={counts} onChange={change} />
      {rows.stale !== undefined && <StaleNotice query={rows.stale} />}
      {mayCommand && shownTotal !== undefined && (
        <SelectionBar selected={selected} total={shownTotal} onCommand={() => setCommanded('chosen')} />
      )}
      <div className={page['list']}>
        {rows.error !== null ? (
          <ErrorNotice error={rows.error} retry={rows.retry} />
        ) : count === 0 ? (
          <Empty title={t(isFiltered(search) ? 'common:empty.filtered' : 'empty')} />
        ) : (
          <DataTable
            key={rows.list}
            label={t('title')}
            columns={columns}
            shown={shown}
            count={count}
            rowAt={rows.rowAt}
            keyOf={({ id }) => id}
            onRange={rows.show}
            selection={mayCommand ? selected.selection : undefined}
            sort={sortOf(search)}
            onSort={(sort) => change({ sort: sortText(sort) })}
            onOpen={({ id }) => void navigate({ to: '/fleet/chargers/$uuid', params: { uuid: id } })}
          />
        )}
      </div>
    </div>
  );
}

interface Props {
  selected: ReturnType<typeof useSelection>;
  total: number;
  onCommand: () => void;
}

/** Number of the chosen chargers, and what can be done with them. */
function SelectionBar({ selected: { ids, count, selectAll, clear }, total, onCommand }: Props) {
  const { t } = useTranslation('chargers');
  const formats = useFormats();
  if (count === 0) return null;
  return (
    <div role="group" aria-label={t('selection.label')} className={styles['selection']}>
      <strong role="status">{t('selection.count', { count, number: formats.integer(count) })}</strong>
      {ids !== 'all' && count < total && (
        <Button kind="quiet" onPress={selectAll}>
          {t('selection.all', { number: formats.integer(total) })}
        </Button>
      )}
      <Button kind="quiet" onPress={clear}>
        <X aria-hidden size={15} />
        {t('selection.clear')}
      </Button>
      <Button kind="primary" onPress={onCommand}>
        <ListChecks aria-hidden size={15} />
        {t('selection.command')}
      </Button>
    </div>
  );
}
