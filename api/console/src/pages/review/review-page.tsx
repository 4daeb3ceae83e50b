import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats, absent, type Formats } from '../../texts/formats.ts';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { AmendDialog } from '../session/actions/amend-dialog.tsx';
import { ApproveDialog } from '../session/actions/approve-dialog.tsx';
import type { SessionRow } from '../sessions/session-columns.tsx';
import { sessionsQuery, summaryQuery } from '../sessions/sessions-queries.ts';
import { ReviewDetail } from './review-detail.tsx';
import styles from './review-page.module.css';
import type { TFunction } from 'i18next';
import { type Column, columnsOf } from '../../ui/table/columns.ts';

const inReview = { priceState: 'REVIEW', sort: '-cost' };

/** Open dialog with its session, which the list may lose or move meanwhile. */
interface OpenDialog {
  action: 'approve' | 'amend';
  session: SessionRow;
}

/** Sessions whose price awaits a decision, the dearest first, with all that the decision needs next to the list. */
export function ReviewPage() {
  const { t } = useTranslation(['review']);
  const formats = useFormats();
  const navigate = useNavigate();
  const { session: selectedId } = useSearch({ from: '/signed-in/charging/review' });
  const network = useNetworkQuery();
  const list = useInfiniteQuery(sessionsQuery(inReview, { network, zone: formats.timeZone }));
  const summary = useQuery(summaryQuery(inReview, { network, zone: formats.timeZone })).data;
  const maySettle = useCan('cpms:command:billing');
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const columns = useMemo(() => reviewColumns(t, formats), [t, formats]);
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  // A session that was decided leaves the list; the next one takes its position.
  const [lastAt, setLastAt] = useState(0);
  const found = rows.findIndex(({ id }) => id === selectedId);
  const at = found >= 0 ? found : Math.max(0, Math.min(lastAt, rows.length - 1));
  const selected = rows[at];
  const { hasNextPage, isFetching, fetchNextPage } = list;
  // The queue is decided from its dearest to its last session, so all of it is read.
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);

  const select = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    setLastAt(rows.indexOf(row));
    void navigate({ to: '.', search: (before) => ({ ...before, session: row.id }), replace: true });
  };
  const decide = (action: OpenDialog['action']) => {
    if (selected !== undefined && maySettle) setOpen({ action, session: selected });
  };
  useKeys({
    j: () => select(at + 1),
    k: () => select(at - 1),
    a: () => decide('approve'),
    e: () => decide('amend'),
    o: () =>
      selected !== undefined &&
      void navigate({ to: '/charging/sessions/$uuid', params: { uuid: selected.id } }),
  });
  const waiting = (summary?.costs ?? [])
    .map(({ currency, inReviewInclVat }) => formats.money(inReviewInclVat, currency))
    .join(' + ');

  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        {summary !== undefined && summary.count > 0 && (
          <strong>{t('waiting', { count: summary.count, amount: waiting })}</strong>
        )}
        <p>{t('intro')}</p>
      </header>
      <StaleNotice query={list} />
      {list.data === undefined ? (
        <QueryPending query={list} height={360} />
      ) : selected === undefined ? (
        <Empty title={t('empty')} />
      ) : (
        <div className={styles['columns']}>
          <div className={styles['list']}>
            <DataTable
              label={t('list')}
              columns={columns}
              count={rows.length}
              rowAt={(index) => rows[index]}
              keyOf={({ id }) => id}
              selectedKey={selected.id}
              onOpen={(row) => select(rows.indexOf(row))}
              height={720}
            />
            <p className={styles['keys']}>{t('keys')}</p>
          </div>
          <ReviewDetail
            key={selected.id}
            session={selected}
            maySettle={maySettle}
            onApprove={() => decide('approve')}
            onAmend={() => decide('amend')}
          />
        </div>
      )}
      {open?.action === 'approve' && <ApproveDialog session={open.session} onClose={() => setOpen(null)} />}
      {open?.action === 'amend' && <AmendDialog session={open.session} onClose={() => setOpen(null)} />}
    </div>
  );
}

/** Keys of the page, of which the one that is pressed runs its action. */
function useKeys(actions: Record<string, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  useEffect(() => {
    // Before the table, which moves its focus by the same keys.
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, []);
}

/** Returns true in inputs and while a dialog or menu is open. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Columns of the sessions in review: reported values next to plausible ones. */
function reviewColumns(t: TFunction<['review']>, formats: Formats): Column<SessionRow>[] {
  const money = (amount: number | null | undefined, session: SessionRow) =>
    session.cost === null ? absent : formats.money(amount, session.cost.currency);
  return columnsOf(
    {
      ended: { width: 122, phone: 122, cell: ({ endedAt }) => formats.shortDateTime(endedAt) },
      charger: {
        width: 124,
        phone: 124,
        grow: true,
        cell: ({ chargerUid, connectorNumber }) => `${chargerUid} · ${connectorNumber}`,
      },
      reasons: {
        width: 176,
        phone: false,
        grow: true,
        cell: ({ review }) => review?.reasons.map((reason) => t(`reason.${reason}`)).join(', '),
      },
      energy: { width: 92, phone: false, isNumber: true, cell: ({ energyKwh }) => formats.energy(energyKwh) },
      plausible: {
        width: 92,
        phone: false,
        isNumber: true,
        cell: ({ review }) => formats.energy(review?.plausible.energyKwh),
      },
      price: {
        width: 84,
        phone: 84,
        isNumber: true,
        cell: (session) => money(session.cost?.totalInclVat, session),
      },
    },
    (id) => t(`column.${id}`),
  );
}
