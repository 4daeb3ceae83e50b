import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, bodies, type Schemas } from '../../../api/client.ts';
import { useCursorList } from '../../../api/cursor-list.ts';
import { useCan } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { StaleNotice } from '../../../ui/stale-notice.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TabProps } from '../tabs.tsx';
import { useChargerCommand } from '../use-charger-command.ts';

type Entry = Schemas['LocalListEntry'];

/** Local authorization list: the tokens that the charger accepts while it is offline. */
export function LocalListTab({ charger }: TabProps) {
  const { t } = useTranslation(['localList', 'common']);
  const formats = useFormats();
  const canPush = useCan('cpms:command:local-list');
  const queryKey = ['local-list', charger.id];
  const list = useCursorList(queryKey, (cursor) =>
    bodies.GET('/cpms/v1/chargers/{chargerUuid}/local-list', {
      params: { path: { chargerUuid: charger.id }, query: { pageSize: 100, cursor } },
    }),
  );
  const [pushes, setPushes] = useState<'all' | 'none' | null>(null);
  const push = useChargerCommand(
    (tokens: 'all' | 'none') =>
      api.POST('/cpms/v1/chargers/{chargerUuid}/local-list', {
        params: { path: { chargerUuid: charger.id } },
        body: tokens === 'all' ? {} : { idTokenIds: [] },
      }),
    { queryKey, done: t('push.done') },
  );
  const columns = useMemo(
    (): Column<Entry>[] => [
      { id: 'uid', title: t('token'), width: 220, grow: true, cell: ({ uid }) => uid },
      {
        id: 'sent',
        title: t('stateSent'),
        width: 220,
        grow: true,
        cell: ({ toldAt }) => formats.dateTime(toldAt),
      },
    ],
    [t, formats],
  );
  const head = list.data?.pages[0];
  const isBusy = push.isPending || !charger.isConnected;
  return (
    <Card
      title={t('title')}
      actions={
        canPush && (
          <>
            <Button
              isDangerous
              onPress={() => setPushes('none')}
              isDisabled={isBusy || (head?.entryCount ?? 0) === 0}
            >
              {t('clear.open')}
            </Button>
            <Button onPress={() => setPushes('all')} isDisabled={isBusy}>
              {t(push.isPending ? 'push.sending' : 'push.open')}
            </Button>
          </>
        )
      }
    >
      {list.isPending && <Skeleton height={200} />}
      {list.error !== null && list.data === undefined && (
        <ErrorNotice error={list.error} retry={() => void list.refetch()} />
      )}
      <StaleNotice query={list} />
      {head !== undefined && (
        <Facts
          facts={[
            [t('version'), head.version ?? t('common:none')],
            [t('sentAt'), formats.dateTime(head.sentAt)],
            [t('entries'), formats.integer(head.entryCount)],
          ]}
        />
      )}
      {head !== undefined && list.count === 0 && (
        <Empty title={t(head.version === null ? 'neverSent' : 'empty')} />
      )}
      {list.count > 0 && (
        <DataTable
          label={t('title')}
          columns={columns}
          count={list.count}
          rowAt={list.rowAt}
          keyOf={({ idTokenId }) => idTokenId}
          onRange={list.onRange}
          height={480}
        />
      )}
      {pushes !== null && (
        <ConfirmDialog
          title={t(pushes === 'all' ? 'push.title' : 'clear.title', { charger: charger.uid })}
          action={t(pushes === 'all' ? 'push.action' : 'clear.action')}
          onConfirm={() => push.mutate(pushes)}
          onClose={() => setPushes(null)}
        >
          <p>{t(pushes === 'all' ? 'push.detail' : 'clear.detail')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
