import { PageList } from '../../ui/table/list-table.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { useMedia } from '../../ui/media.ts';
import { Empty } from '../../ui/notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { notify } from '../../ui/toast.tsx';
import { type DeadLetter, readDeadLetters, type Webhook } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const onPhone = new Set(['created', 'type']);

/** Events that the webhook did not receive, and their replay. */
export function DeadLetters({ webhook: { id: uuid }, mayReplay }: { webhook: Webhook; mayReplay: boolean }) {
  const { t } = useTranslation('webhooks');
  const search = useSearch({ from: '/signed-in/settings/webhooks/$uuid' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const columns = useColumns(useMedia('(max-width: 700px)'));
  const list = useCursorList(['webhooks', uuid, 'dead-letters'], (cursor) => readDeadLetters(uuid, cursor));
  const { rows } = list;
  const opened = rows.find(({ id }) => id === search.opened);
  const open = (id: string | undefined) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, opened: id }), replace: true });
  const replaying = useMutation({
    mutationFn: (id: string) =>
      api.POST('/cpms/v1/webhooks/{uuid}/dead-letters/{id}/replay', { params: { path: { uuid, id } } }),
    onSuccess: async () => {
      open(undefined);
      notify('done', t('replayedOne'));
      await queries.invalidateQueries({ queryKey: ['webhooks', uuid] });
    },
    onError: (failure) => notify('failed', failure.message),
  });
  return (
    <div className={styles['panel']}>
      <PageList
        list={list}
        empty={<Empty title={t('noDeadLetters')} />}
        label={t('deadLetters')}
        columns={columns}
        onOpen={({ id }) => open(id)}
        selectedKey={search.opened}
        height={480}
      />
      <Dialog
        title={opened?.type ?? t('lostRange')}
        isOpen={opened !== undefined}
        onClose={() => open(undefined)}
        shape="side"
      >
        {opened !== undefined && (
          <div className={styles['panel']}>
            <LetterDetails letter={opened} />
            {mayReplay && opened.event !== null && (
              <div>
                <Button
                  kind="primary"
                  isDisabled={replaying.isPending}
                  onPress={() => replaying.mutate(opened.id)}
                >
                  {t('replayOne')}
                </Button>
              </div>
            )}
          </div>
        )}
      </Dialog>
    </div>
  );
}

function LetterDetails({ letter }: { letter: DeadLetter }) {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  return (
    <>
      <Facts
        facts={[
          [t('field.time'), formats.dateTime(letter.createdAt)],
          [t('field.reason'), t(`letter.${letter.reason}`)],
          [t('field.tries'), formats.integer(letter.tries)],
          [t('field.lastError'), letter.lastError ?? absent],
          [t('field.event'), letter.eventId ?? absent],
        ]}
      />
      {letter.event !== null && <JsonView value={letter.event} label={t('payload')} />}
    </>
  );
}

function useColumns(isPhone: boolean): Column<DeadLetter>[] {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  return useMemo(() => {
    const columns: Column<DeadLetter>[] = columnsOf(
      {
        created: {
          width: isPhone ? 150 : 210,
          cell: ({ createdAt }) => (isPhone ? formats.shortDateTime(createdAt) : formats.dateTime(createdAt)),
        },
        type: { width: isPhone ? 120 : 200, grow: true, cell: ({ type }) => type ?? t('lostRange') },
        reason: { width: 200, cell: ({ reason }) => t(`letter.${reason}`) },
        tries: { width: 90, isNumber: true, cell: ({ tries }) => formats.integer(tries) },
        error: { width: 200, grow: true, cell: ({ lastError }) => lastError ?? absent },
      },
      (id) => (id === 'created' ? t('field.time') : id === 'error' ? t('field.lastError') : t(`field.${id}`)),
    );
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, isPhone]);
}
