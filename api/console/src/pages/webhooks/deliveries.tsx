import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchChange } from '../../app/use-search-change.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { absent, type Formats, useFormats } from '../../texts/formats.ts';
import { Facts } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import page from '../../ui/list-page.module.css';
import { useMedia } from '../../ui/media.ts';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { type Delivery, outcomes, outcomeStates, readDeliveries, type Webhook } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const refreshMs = 5000;
const onPhone = new Set(['time', 'outcome']);

const keyOf = ({ time, eventId, tryNumber }: Delivery) => `${time} ${eventId ?? ''} ${tryNumber}`;
const answerOf = ({ httpStatus, error }: Delivery) =>
  httpStatus === null ? (error ?? absent) : `HTTP ${httpStatus}`;

/** Attempts to deliver, newest first. */
export function Deliveries({ webhook: { id } }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const search = useSearch({ from: '/signed-in/settings/webhooks/$uuid' });
  const outcome = outcomes.find((each) => each === search.outcome);
  const columns = useColumns(useMedia('(max-width: 700px)'));
  const list = useCursorList(
    ['webhooks', id, 'deliveries', outcome],
    (cursor) => readDeliveries(id, outcome, cursor),
    { refetchInterval: refreshMs },
  );
  const { data, error, refetch, rows, count, rowAt, onRange } = list;
  const opened = rows.find((row) => keyOf(row) === search.opened);
  const change: (changed: { outcome?: string | undefined; opened?: string | undefined }) => void =
    useSearchChange();
  return (
    <div className={styles['panel']}>
      <div className={page['actions']}>
        <FilterSelect
          label={t('field.outcome')}
          hidesLabel
          any={t('allOutcomes')}
          options={outcomes.map((each) => ({ id: each, text: t(`outcome.${each}`) }))}
          value={outcome}
          onChange={(outcome) => change({ outcome })}
        />
      </div>
      <StaleNotice query={list} />
      <div className={page['list']}>
        {data === undefined ? (
          <QueryPending query={{ error, refetch }} height={240} />
        ) : rows.length === 0 ? (
          <Empty title={t(outcome === undefined ? 'noDeliveries' : 'common:empty.filtered')} />
        ) : (
          <DataTable
            label={t('deliveries')}
            columns={columns}
            count={count}
            rowAt={rowAt}
            keyOf={keyOf}
            onRange={onRange}
            onOpen={(row) => change({ opened: keyOf(row) })}
            selectedKey={search.opened}
            height={480}
          />
        )}
      </div>
      <Dialog
        title={opened?.type ?? ''}
        isOpen={opened !== undefined}
        onClose={() => change({ opened: undefined })}
        shape="side"
      >
        {opened !== undefined && <DeliveryDetails delivery={opened} />}
      </Dialog>
    </div>
  );
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  return (
    <div className={styles['panel']}>
      <Facts facts={factsOf(delivery, t, formats)} />
      <h3>{t('answer')}</h3>
      {delivery.answer === '' ? (
        <p className={styles['hint']}>{t('noAnswer')}</p>
      ) : (
        <pre className={styles['answer']}>{delivery.answer}</pre>
      )}
    </div>
  );
}

type Translate = ReturnType<typeof useTranslation<'webhooks'>>['t'];

function factsOf(delivery: Delivery, t: Translate, formats: Formats): [string, string][] {
  return [
    [t('field.time'), formats.preciseTime(delivery.time)],
    [t('field.outcome'), t(`outcome.${delivery.outcome}`)],
    [t('field.status'), answerOf(delivery)],
    [t('field.latency'), formats.latency(delivery.durationMs)],
    [t('field.try'), formats.integer(delivery.tryNumber)],
    [t('field.event'), delivery.eventId ?? t('isTest')],
  ];
}

function useColumns(isPhone: boolean): Column<Delivery>[] {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  return useMemo(() => {
    const columns: Column<Delivery>[] = columnsOf(
      {
        time: {
          width: isPhone ? 150 : 210,
          cell: ({ time }) => (isPhone ? formats.shortDateTime(time) : formats.preciseTime(time)),
        },
        type: { width: 200, grow: true, cell: ({ type }) => type },
        outcome: {
          width: 150,
          cell: ({ outcome }) => <StateBadge state={outcomeStates[outcome]} word={t(`outcome.${outcome}`)} />,
        },
        status: { width: 160, grow: true, cell: answerOf },
        latency: { width: 100, isNumber: true, cell: ({ durationMs }) => formats.latency(durationMs) },
        try: { width: 90, isNumber: true, cell: ({ tryNumber }) => formats.integer(tryNumber) },
        event: { width: 120, cell: ({ eventId }) => eventId ?? t('isTest') },
      },
      (id) => (id === 'time' ? t('field.time') : t(`field.${id}`)),
    );
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, isPhone]);
}
