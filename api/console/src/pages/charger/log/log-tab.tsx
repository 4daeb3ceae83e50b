import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { useCallback, useMemo, useRef, useState, useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMedia } from '../../../ui/media.ts';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TabProps } from '../tabs.tsx';
import { messageIdOf } from './frames.ts';
import { useLogColumns } from './log-columns.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogStatus } from './log-status.tsx';
import { useLogSearch, type LogFilter } from './log-search.ts';
import { actionOf, MessageContent, MessagePanel } from './message-panel.tsx';
import { useOpened } from './use-opened.ts';
import styles from './log.module.css';
import type { Exchange, Message } from './exchange-log.ts';
import { type StreamState, useEventStream } from '../../../api/event-stream.ts';
import { LogFeed, type LogView } from './log-feed.ts';

/** Actions that chargers send often; further ones are offered when the log shows them. */
const usual = [
  'Authorize',
  'BootNotification',
  'DataTransfer',
  'Heartbeat',
  'MeterValues',
  'StatusNotification',
  'Reset',
];
const usualWithDeviceModel = [
  'NotifyEvent',
  'NotifyReport',
  'TransactionEvent',
  'SetVariables',
  'GetVariables',
];
const usualWithKeys = ['FirmwareStatusNotification', 'StartTransaction', 'StopTransaction'];

/** Returns the actions that chargers of a version send often; without a version, the actions of every version. */
function usualActions(version: string | null): readonly string[] {
  const features = featuresOf(version);
  if (features === null) return usual;
  const { start, stop } = features.remoteActions;
  return [...usual, start, stop, ...(features.hasDeviceModel ? usualWithDeviceModel : usualWithKeys)];
}

/** Returns the actions to filter by, in alphabetical order. */
function actionsToFilter(
  version: string | null,
  exchanges: readonly Exchange[],
  chosen: string | null,
): string[] {
  const seen = exchanges.slice(0, 1000).map(({ call, answer }) => (call ?? answer)?.action ?? null);
  const all = [...usualActions(version), ...seen, chosen].filter((action) => action !== null);
  return [...new Set(all)].toSorted();
}

/** Rows before the end at which older ones are loaded. */
const loadAhead = 40;

/** Live tail of the OCPP messages of a charger. A call and its answer are one row. */
export function LogTab({ charger }: TabProps) {
  const { t } = useTranslation(['log', 'common']);
  const search = useLogSearch();
  const log = useLog(charger.id, search.filter);
  const isWide = useMedia('(min-width: 1200px)');
  const isPhone = useMedia('(max-width: 700px)');
  const actionNames = actionsToFilter(charger.ocppVersion, log.exchanges, search.filter.action).join(' ');
  const actions = useMemo(() => actionNames.split(' '), [actionNames]);
  const list = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const [isScrolled, setScrolled] = useState(false);
  const [isTouched, setTouched] = useState({ pointer: false, focus: false });
  const isHeld =
    !follows || isScrolled || isTouched.pointer || isTouched.focus || search.opened !== undefined;
  const { rows, waiting, release } = useHold(log.exchanges, isHeld);
  const opened = useOpened(charger.id, rows, search.opened);
  const columns = useLogColumns(isPhone ? 'phone' : isWide && opened !== null ? 'split' : 'full');

  const { loadOlder, hasOlder } = log;
  const count = rows.length;
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (hasOlder && last >= count - loadAhead) loadOlder();
    },
    [hasOlder, count, loadOlder],
  );
  const showNewest = () => {
    list.current?.querySelector('[role="table"]')?.scrollTo({ top: 0 });
    setFollows(true);
    release();
  };
  const isFirstLoad = log.isLoading && log.exchanges.length === 0;
  const close = () => search.open(undefined);

  return (
    <div className={styles['log']}>
      <div className={styles['bar']}>
        <LogFilters search={search} actions={actions} />
        <LogStatus
          stream={log.stream}
          range={search.filter.range}
          onLive={search.showLive}
          follows={follows}
          isHeld={isHeld}
          waiting={waiting}
          onFollow={setFollows}
          onNewest={showNewest}
        />
      </div>
      <div
        role="presentation"
        className={styles['content']}
        data-split={isWide && opened !== null}
        onKeyDown={({ key }) => key === 'Escape' && isWide && close()}
      >
        <div
          ref={list}
          className={styles['list']}
          onPointerEnter={({ pointerType }) =>
            setTouched((before) => ({ ...before, pointer: pointerType === 'mouse' }))
          }
          onPointerLeave={() => setTouched((before) => ({ ...before, pointer: false }))}
          onFocus={() => setTouched((before) => ({ ...before, focus: true }))}
          onBlur={() => setTouched((before) => ({ ...before, focus: false }))}
          onScrollCapture={({ target }) => setScrolled((target as HTMLElement).scrollTop > 4)}
        >
          {isFirstLoad ? (
            <Skeleton height={480} />
          ) : log.error !== null && count === 0 ? (
            <ErrorNotice error={log.error} retry={loadOlder} />
          ) : count === 0 ? (
            <Empty title={t(search.isFiltered ? 'common:empty.filtered' : 'empty')} />
          ) : (
            <DataTable
              label={t('label')}
              columns={columns}
              count={count}
              rowAt={(index) => rows[index]}
              keyOf={({ key }) => key}
              onRange={onRange}
              onOpen={(exchange) => search.open(messageIdOf(exchange))}
              selectedKey={opened?.exchange?.key}
            />
          )}
        </div>
        {isWide && opened !== null && <MessagePanel charger={charger} opened={opened} onClose={close} />}
      </div>
      {log.error !== null && count > 0 && <ErrorNotice error={log.error} retry={loadOlder} />}
      {!isWide && (
        <Dialog
          title={(opened === null ? null : actionOf(opened)) ?? t('panel.title')}
          isOpen={opened !== null}
          onClose={close}
          shape="side"
        >
          {opened !== null && <MessageContent charger={charger} opened={opened} />}
        </Dialog>
      )}
    </div>
  );
}

/** Rows that are shown, and the number of newer ones that wait. */
interface Held {
  rows: readonly Exchange[];
  waiting: number;
  /** Shows the newer ones. */
  release: () => void;
}

/** Holds newer exchanges back, so that rows do not move. Older ones are added at the end as they load. */
function useHold(exchanges: readonly Exchange[], isHeld: boolean): Held {
  const [firstKey, setFirstKey] = useState<string | null>(null);
  const newest = exchanges[0]?.key ?? null;
  if (isHeld && firstKey === null && newest !== null) setFirstKey(newest);
  if (!isHeld && firstKey !== null) setFirstKey(null);
  const index = firstKey === null ? 0 : exchanges.findIndex(({ key }) => key === firstKey);
  const waiting = isHeld ? Math.max(0, index) : 0;
  return {
    rows: waiting === 0 ? exchanges : exchanges.slice(waiting),
    waiting,
    release: () => setFirstKey(null),
  };
}

interface Log extends LogView {
  stream: StreamState;
  loadOlder: () => void;
}

/** Log of a charger: its past by pages, and its new messages as they come. */
function useLog(uuid: string, filter: LogFilter): Log {
  const key = JSON.stringify(filter);
  const feed = useMemo(() => new LogFeed(uuid, JSON.parse(key) as LogFilter), [uuid, key]);
  const view = useSyncExternalStore(feed.subscribe, feed.view);
  const stream = useEventStream(feed.streamPath, ['message', 'dropped'], (data, { type }) => {
    if (type === 'message') {
      feed.take(data as Message);
      return;
    }
    feed.lose();
    feed.join();
  });
  useEffect(() => feed.start(), [feed]);
  useEffect(() => {
    if (stream.isLive) feed.join();
    else if (stream.lostAt !== null) feed.lose();
  }, [feed, stream.isLive, stream.lostAt]);
  return { ...view, stream, loadOlder: () => void feed.loadOlder() };
}
