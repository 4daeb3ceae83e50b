import { PageList } from '../../ui/table/list-table.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, dataOf } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useScopes, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import page from '../../ui/list-page.module.css';
import { useMedia } from '../../ui/media.ts';
import { Empty } from '../../ui/notice.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { healthStates, type Webhook } from './webhook-queries.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { bodyOf, emptyDraft, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';

const onPhone = new Set(['url', 'state']);

/** Columns of the list of webhooks. */
function useWebhookColumns(isPhone: boolean): Column<Webhook>[] {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  return useMemo(() => {
    const columns: Column<Webhook>[] = columnsOf(
      {
        url: {
          width: isPhone ? 180 : 260,
          grow: true,
          cell: ({ id, url }) => (
            <Link to="/settings/webhooks/$uuid" params={{ uuid: id }}>
              {url}
            </Link>
          ),
        },
        description: { width: 180, grow: true, cell: ({ description }) => description ?? absent },
        state: {
          width: 140,
          cell: ({ health }) => (
            <StateBadge state={healthStates[health.state]} word={t(`state.${health.state}`)} />
          ),
        },
        types: {
          width: 160,
          cell: ({ types }) =>
            types.length === 0
              ? t('allTypes')
              : types.length === 1
                ? types[0]
                : t('typeCount', { count: types.length }),
        },
        backlog: {
          width: 100,
          isNumber: true,
          cell: ({ health }) => formats.integer(health.backlog + health.waiting),
        },
        deadLetters: {
          width: 150,
          isNumber: true,
          cell: ({ health }) => formats.integer(health.deadLetters),
        },
        lastDelivered: { width: 150, cell: ({ health }) => <RelativeTime value={health.lastDeliveredAt} /> },
      },
      (id) => t(`field.${id}`),
    );
    return isPhone ? columns.filter(({ id }) => onPhone.has(id)) : columns;
  }, [t, formats, isPhone]);
}

const refreshMs = 10_000;

/** Webhooks with the state of their delivery. */
export function WebhooksPage() {
  const { t } = useTranslation('webhooks');
  const navigate = useNavigate();
  const network = useNetworkQuery();
  const can = useScopes();
  const isPhone = useMedia('(max-width: 700px)');
  const columns = useWebhookColumns(isPhone);
  const [isCreating, setCreating] = useState(false);
  const list = useCursorList(
    ['webhooks', 'list', network],
    (cursor) =>
      body(api.GET('/cpms/v1/webhooks', { params: { query: { ...network, pageSize: 100, cursor } } })),
    { refetchInterval: refreshMs },
  );
  const open = (uuid: string) => void navigate({ to: '/settings/webhooks/$uuid', params: { uuid } });
  // A webhook receives what its owner may read.
  const mayCreate = can('cpms:write:webhooks') && can('cpms:read:events');
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        {mayCreate && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            <Plus aria-hidden size={15} />
            {t('create')}
          </Button>
        )}
      </header>
      <PageList
        list={list}
        empty={
          <Empty title={t('empty')}>
            <p>{t('emptyHint')}</p>
          </Empty>
        }
        label={t('title')}
        columns={columns}
        onOpen={({ id }) => open(id)}
      />
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} onCreated={open} />}
    </div>
  );
}

/** Creates a webhook and shows its secret once. */
function NewWebhookDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (uuid: string) => void;
}) {
  const { t } = useTranslation('webhooks');
  const queries = useQueryClient();
  const networks = useNetworks();
  const { networkUuid: shown } = useNetworkQuery();
  const [networkUuid, setNetwork] = useState(shown ?? networks[0]?.id);
  const creating = useMutation({
    mutationFn: (draft: WebhookDraft) =>
      dataOf(api.POST('/cpms/v1/webhooks', { body: { ...bodyOf(draft), networkUuid } })),
    // The result holds the secret.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const created = creating.data;
  if (created !== undefined) {
    const close = () => {
      onClose();
      onCreated(created.id);
    };
    return <SecretDialog title={t('created')} secret={created.secret} onClose={close} />;
  }
  // Closing while the webhook is created would lose its secret.
  const close = () => !creating.isPending && onClose();
  return (
    <Dialog title={t('create')} isOpen isDismissable={!creating.isPending} onClose={close} shape="wide">
      <WebhookForm
        first={emptyDraft}
        networkUuid={networkUuid}
        action={t('create')}
        error={creating.error}
        isSending={creating.isPending}
        onSubmit={creating.mutate}
        onClose={close}
      >
        {networks.length > 1 && (
          <Select
            label={t('field.network')}
            options={networks.map(({ id, name }) => ({ id, text: name }))}
            value={networkUuid ?? null}
            onChange={setNetwork}
          />
        )}
      </WebhookForm>
    </Dialog>
  );
}
