import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMedia } from '../../../ui/media.ts';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TabProps } from '../tabs.tsx';
import { messageIdOf } from './frames.ts';
import { actionsToFilter } from './log-actions.ts';
import { useLogColumns } from './log-columns.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogStatus } from './log-status.tsx';
import { useLogSearch } from './log-search.ts';
import { actionOf, MessageContent, MessagePanel } from './message-panel.tsx';
import { useHold } from './use-hold.ts';
import { useLog } from './use-log.ts';
import { useOpened } from './use-opened.ts';
import styles from './log.module.css';

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
