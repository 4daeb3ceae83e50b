import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import page from '../../ui/list-page.module.css';
import { Empty } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { type LoadSiteSummary, readLoadSites } from './load-queries.ts';
import { NewSiteDialog } from './new-site-dialog.tsx';

const renewMs = 10_000;

/** Sites with load management. */
export function LoadSitesPage() {
  const { t } = useTranslation('load');
  const network = useNetworkQuery();
  const list = useCursorList(['load-sites', 'list', network], (cursor) => readLoadSites(network, cursor), {
    refetchInterval: renewMs,
  });
  const navigate = useNavigate();
  const mayWrite = useCan('cpms:write:load-sites');
  const [isCreating, setCreating] = useState(false);
  const open = (uuid: string, tab?: string) =>
    void navigate({ to: '/fleet/load/$uuid', params: { uuid }, search: (before) => ({ ...before, tab }) });
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        {mayWrite && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            {t('new')}
          </Button>
        )}
      </header>
      <p>{t('lead')}</p>
      <PageList
        list={list}
        empty={
          <Empty title={t('none')}>
            <p>{t('noneHint')}</p>
          </Empty>
        }
        label={t('title')}
        columns={useColumns()}
        onOpen={({ id }) => open(id)}
      />
      {isCreating && (
        <NewSiteDialog onCreated={(id) => open(id, 'edit')} onClose={() => setCreating(false)} />
      )}
    </div>
  );
}

function useColumns(): Column<LoadSiteSummary>[] {
  const { t } = useTranslation('load');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          name: { width: 220, phone: 150, grow: true, cell: ({ name }) => name },
          state: {
            width: 150,
            phone: 120,
            cell: ({ isEnabled, setAside }) =>
              setAside > 0 ? (
                <StateBadge state="faulted" word={t('exceeding', { count: setAside })} />
              ) : (
                <StateBadge
                  state={isEnabled ? 'available' : 'offline'}
                  word={t(isEnabled ? 'enabled' : 'disabled')}
                />
              ),
          },
          strategy: { width: 190, phone: false, cell: ({ strategy }) => t(`strategy.${strategy}`) },
          grid: {
            width: 150,
            phone: false,
            isNumber: true,
            cell: ({ gridAmps }) => t('amps', { amps: formats.number(Math.min(...gridAmps), 0) }),
          },
          circuits: {
            width: 100,
            phone: false,
            isNumber: true,
            cell: ({ circuits }) => formats.integer(circuits),
          },
          connectors: {
            width: 110,
            phone: 70,
            isNumber: true,
            cell: ({ connectors }) => formats.integer(connectors),
          },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats],
  );
}
