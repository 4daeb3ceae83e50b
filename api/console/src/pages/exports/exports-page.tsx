import { PageList } from '../../ui/table/list-table.tsx';
import { exportStates } from '#shared/domain/reporting/export.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { ExportPanel } from './export-panel.tsx';
import { type Export, isRunning, readExports, stateOf } from './exports-queries.ts';
import { NewExportDialog } from './new-export-dialog.tsx';
import page from '../../ui/list-page.module.css';
import styles from './exports.module.css';

const runningMs = 3000;
const renewMs = 30_000;

/** Exports to files: their progress, and the parts to download. */
export function ExportsPage() {
  const { t } = useTranslation(['exports', 'common']);
  const search = useSearch({ from: '/signed-in/reporting/exports' });
  const navigate = useNavigate({ from: '/reporting/exports' });
  const state = stateOf(search.state);
  const [isAnyRunning, setAnyRunning] = useState(false);
  const list = useCursorList(['exports', 'list', state], (cursor) => readExports(state, cursor), {
    refetchInterval: isAnyRunning ? runningMs : renewMs,
  });
  const runs = list.rows.some(isRunning);
  if (runs !== isAnyRunning) setAnyRunning(runs);
  const mayWrite = useCan('cpms:write:exports');
  const [isCreating, setCreating] = useState(false);
  const columns = useExportColumns();
  const change = (changed: { state?: string | undefined; export?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <FilterSelect
          label={t('columns.state')}
          hidesLabel
          any={t('anyState')}
          options={exportStates.map((id) => ({ id, text: t(`state.${id}`) }))}
          value={state}
          onChange={(state) => change({ state })}
        />
        <Button kind="primary" onPress={() => setCreating(true)}>
          {t('new')}
        </Button>
      </header>
      <PageList
        list={list}
        empty={
          <Empty title={t(state === undefined ? 'none' : 'common:empty.filtered')}>
            <p>{t('noneHint')}</p>
          </Empty>
        }
        label={t('title')}
        columns={columns}
        selectedKey={search.export}
        onOpen={({ id }) => change({ export: id })}
      />
      {isCreating && (
        <NewExportDialog
          mayWrite={mayWrite}
          onCreated={(id) => change({ export: id })}
          onClose={() => setCreating(false)}
        />
      )}
      {search.export !== undefined && (
        <ExportPanel
          key={search.export}
          uuid={search.export}
          mayWrite={mayWrite}
          onClose={() => change({ export: undefined })}
        />
      )}
    </div>
  );
}

function useExportColumns(): Column<Export>[] {
  const { t } = useTranslation('exports');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          dataset: { width: 200, phone: 116, grow: true, cell: ({ dataset }) => t(`dataset.${dataset}`) },
          format: { width: 80, phone: false, cell: ({ format }) => t(`format.${format}`) },
          range: {
            width: 240,
            phone: false,
            grow: true,
            cell: ({ from, to }) => t('range', { from: formats.date(from), to: formats.date(to) }),
          },
          state: { width: 120, phone: 108, cell: ({ state }) => t(`state.${state}`) },
          progress: {
            width: 90,
            phone: false,
            isNumber: true,
            cell: ({ partsStored: stored, partsTotal: total }) =>
              total === 0
                ? absent
                : t('progress', { stored: formats.integer(stored), total: formats.integer(total) }),
          },
          rows: { width: 100, phone: false, isNumber: true, cell: ({ rows }) => formats.integer(rows) },
          size: {
            width: 90,
            phone: false,
            isNumber: true,
            cell: ({ sizeBytes }) => formats.bytes(sizeBytes),
          },
          by: { width: 140, phone: false, grow: true, cell: ({ createdBy }) => createdBy ?? absent },
          created: { width: 120, phone: 120, cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
        },
        (id) => (id === 'by' ? t('columns.createdBy') : t(`columns.${id}`)),
      ),
    [t, formats],
  );
}
