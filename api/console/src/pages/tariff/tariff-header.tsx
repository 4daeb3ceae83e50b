import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Pencil, Trash2 } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Muted, ObjectHeader } from '../../ui/object-header.tsx';
import { notify } from '../../ui/toast.tsx';
import { type Tariff, tariffKey, tariffsKey, unchanged } from './tariff-queries.ts';
import { Validity } from './validity.tsx';

/** Identity of a tariff, and what can be done with it. */
export function TariffHeader({
  tariff,
  network,
}: {
  tariff: Tariff;
  network: Schemas['Network'] | undefined;
}) {
  const { t } = useTranslation(['tariffs', 'session', 'common']);
  const formats = useFormats();
  const canWrite = useCan('cpms:write:tariffs');
  const facts = [
    [t('common:network.label'), network?.name ?? absent],
    [t('column.currency'), tariff.currency],
    [t('audience'), t(`type.${tariff.type ?? 'ANY'}`)],
    [t('column.valid'), <Validity key="valid" tariff={tariff} />],
    [t('changed'), formats.dateTime(tariff.updatedAt)],
  ] as const;
  return (
    <ObjectHeader
      back={<Link to="/money/tariffs">{t('title')}</Link>}
      title={tariff.name}
      states={
        <>
          <Muted>{t('version', { version: tariff.version })}</Muted>
          <CopyButton text={tariff.id} label={t('copyId')} />
        </>
      }
      actions={canWrite ? <Actions tariff={tariff} /> : undefined}
      facts={facts}
    />
  );
}

function Actions({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation('tariffs');
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemove(tariff);
  return (
    <>
      <Button onPress={() => void navigate({ to: '/money/tariffs/new', search: { copy: tariff.id } })}>
        <Copy aria-hidden size={15} />
        {t('duplicate')}
      </Button>
      <Button kind="danger" onPress={() => setAsking(true)}>
        <Trash2 aria-hidden size={15} />
        {t('delete.open')}
      </Button>
      <Button
        kind="primary"
        onPress={() => void navigate({ to: '/money/tariffs/$uuid/edit', params: { uuid: tariff.id } })}
      >
        <Pencil aria-hidden size={15} />
        {t('edit')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('delete.title', { name: tariff.name })}
          action={t('delete.action')}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('delete.detail')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Deletes a tariff; the server refuses one that is assigned. */
function useRemove(tariff: Tariff) {
  const { t } = useTranslation('tariffs');
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      body(
        api.DELETE('/cpms/v1/tariffs/{uuid}', {
          params: { path: { uuid: tariff.id }, header: unchanged(tariff) },
        }),
      ),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: tariffsKey });
      await navigate({ to: '/money/tariffs' });
      queries.removeQueries({ queryKey: tariffKey(tariff.id) });
      notify('done', t('delete.done', { name: tariff.name }));
    },
    onError: (error) => {
      notify('failed', error.message);
      void queries.invalidateQueries({ queryKey: tariffKey(tariff.id) });
    },
  });
}
