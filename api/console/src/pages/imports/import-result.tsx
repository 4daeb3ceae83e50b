import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Download } from '../../ui/icons/icons.ts';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { type Import, type ImportRow, type RowOutcome, rowOutcomes, rowsQuery } from './import-queries.ts';
import styles from './imports.module.css';

const colors: Record<RowOutcome, string> = {
  created: '--state-available',
  changed: '--state-occupied',
  unchanged: '--state-unknown',
  failed: '--state-faulted',
  pending: '--surface-sunken',
};

/** Progress and results of a dry run or an import. */
export function ImportResult({ current }: { current: Import }) {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const { id, kind, state, total, outcomes } = current;
  const [chosen, setChosen] = useState<RowOutcome | undefined>();
  const isDry = state === 'CHECKING' || state === 'CHECKED';
  const shown = chosen ?? (outcomes.failed > 0 ? 'failed' : undefined);
  const done = total - outcomes.pending;
  return (
    <Card
      title={t(isDry ? 'result.check' : 'result.import')}
      actions={
        <>
          {kind === 'chargers' && !isDry && outcomes.created > 0 && (
            <a href={`/cpms/v1/imports/${id}/passwords`} download className={buttonClass('quiet')}>
              <Download aria-hidden size={15} />
              {t('result.passwords')}
            </a>
          )}
          {outcomes.failed > 0 && (
            <a href={`/cpms/v1/imports/${id}/failed-rows`} download className={buttonClass('quiet')}>
              <Download aria-hidden size={15} />
              {t('result.failedRows')}
            </a>
          )}
        </>
      }
    >
      <div className={styles['result']}>
        <OutcomeBar
          label={t('result.progress')}
          total={total}
          done={done}
          outcomes={rowOutcomes.map((outcome) => ({
            id: outcome,
            text: isDry ? t(`dryOutcomes.${outcome}`) : t(`outcomes.${outcome}`),
            count: outcomes[outcome] ?? 0,
            color: colors[outcome],
          }))}
          chosen={shown}
          onChoose={setChosen}
        >
          <strong>{t(`states.${state}`)}</strong> ·{' '}
          {t('result.done', { done: formats.integer(done), total: formats.integer(total) })}
        </OutcomeBar>
        <Rows current={current} outcome={shown} />
      </div>
    </Card>
  );
}

function Rows({ current, outcome }: { current: Import; outcome: RowOutcome | undefined }) {
  const { t } = useTranslation(['imports', 'common']);
  const results = useInfiniteQuery(rowsQuery(current.id, outcome, current.state));
  const rows = results.data?.pages.flat();
  const columns = useRowColumns(current);
  if (results.error !== null && rows === undefined) {
    return <ErrorNotice error={results.error} retry={() => void results.refetch()} />;
  }
  if (rows?.length === 0) return <Empty title={t('common:empty.filtered')} />;
  return (
    <div className={styles['rows']}>
      <DataTable
        label={t('result.rows')}
        columns={columns}
        count={rows?.length ?? 10}
        rowAt={(index) => rows?.[index]}
        keyOf={({ line }) => String(line)}
        height={420}
        rowHeight={44}
        onRange={(_first, last) => {
          const isAtEnd = rows !== undefined && last >= rows.length - 20;
          if (isAtEnd && results.hasNextPage && !results.isFetchingNextPage) void results.fetchNextPage();
        }}
      />
    </div>
  );
}

function useRowColumns({ header, state }: Import): Column<ImportRow>[] {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  const isDry = state === 'CHECKING' || state === 'CHECKED';
  return useMemo(
    () =>
      columnsOf(
        {
          line: { width: 64, phone: 48, isNumber: true, cell: ({ line }) => formats.integer(line) },
          outcome: {
            width: 150,
            phone: 92,
            cell: ({ outcome }) => (isDry ? t(`dryOutcomes.${outcome}`) : t(`outcomes.${outcome}`)),
          },
          errors: {
            width: 360,
            phone: 200,
            grow: true,
            cell: ({ errors, cells }) => {
              const text = errors.map((error) => errorText(error, header, cells)).join('; ');
              return <span title={text}>{text || absent}</span>;
            },
          },
          cells: {
            width: 320,
            phone: false,
            grow: true,
            cell: ({ cells }) => <span title={cells.join(' · ')}>{cells.join(' · ')}</span>,
          },
        },
        (id) => t(`rowColumns.${id}`),
      ),
    [t, formats, header, isDry],
  );
}

/** Returns an error as its column, the value and the fault: `Lat (95): must be <= 90`. */
function errorText(
  { column, fileColumn, message }: ImportRow['errors'][number],
  header: readonly string[],
  cells: readonly string[],
): string {
  const name = fileColumn ?? column;
  if (name === null) return message;
  const value = cells[header.indexOf(name)] ?? '';
  return `${name}${value === '' ? '' : ` (${value})`}: ${message}`;
}
