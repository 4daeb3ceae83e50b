import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plugNames } from '../charger/connectors/plug-name.ts';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.tsx';
import { Images } from '../charger/firmware/images.tsx';
import { MeterOverrides } from './meter-overrides.tsx';
import { ModelDialog } from './model-dialog.tsx';
import { manufacturersQuery, modelQuery, overridesQuery } from './model-queries.ts';
import styles from './models.module.css';

interface Props {
  id: string;
  tab: string | undefined;
  onTab: (tab: string) => void;
  onClose: () => void;
}

/** Details of a model next to the list: data, firmware images, meter corrections. */
export function ModelPanel({ id, tab, onTab, onClose }: Props) {
  const { data: model, error } = useQuery(modelQuery(id));
  const title = model === undefined ? '…' : `${model.manufacturer.name} ${model.modelName}`;
  return (
    <Dialog title={title} shape="side" isOpen onClose={onClose}>
      {error !== null && model === undefined && <ErrorNotice error={error} />}
      {error === null && model === undefined && <Skeleton height={320} />}
      {model !== undefined && <Details model={model} tab={tab} onTab={onTab} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ model, tab, onTab, onClose }: Omit<Props, 'id'> & { model: Schemas['ChargerModel'] }) {
  const { t } = useTranslation(['models', 'chargers']);
  const formats = useFormats();
  const mayWrite = useCan('cpms:write:catalog');
  const overrides = useQuery(overridesQuery(model.id));
  const facts: [string, ReactNode][] = [
    [t('version'), model.ocppVersion],
    [t('chargers:column.power'), formats.power(model.maxPower)],
    [t('connectors'), formats.integer(model.numberOfConnectors)],
    [t('types'), plugNames(model.supportedConnectorTypes) ?? absent],
    [t('features'), model.supportedFeatures ?? absent],
    [t('description'), model.description ?? absent],
  ];
  return (
    <div className={styles['panel']}>
      <div className={styles['actions']}>
        {mayWrite && <Changes model={model} onClose={onClose} />}
        <Link to="/fleet/chargers" search={{ model: model.id }}>
          {t('showChargers')}
        </Link>
      </div>
      <Facts facts={facts} />
      <Tabs
        label={t('tabs.label')}
        selected={tab === 'meter' ? 'meter' : 'firmware'}
        onSelect={onTab}
        tabs={[
          {
            id: 'firmware',
            title: t('tabs.firmware'),
            content: () => firmwareOf(model),
          },
          {
            id: 'meter',
            title: t('tabs.meter'),
            content: () => overridesOf(model, overrides.data, mayWrite),
          },
        ]}
      />
    </div>
  );
}

function firmwareOf({ id }: Schemas['ChargerModel']) {
  return <Images modelId={id} running={null} onUpdate={null} canDelete />;
}

function overridesOf(
  { id }: Schemas['ChargerModel'],
  stored: Schemas['MeterOverrides'] | undefined,
  mayWrite: boolean,
) {
  if (stored === undefined) return <Skeleton height={160} />;
  return <MeterOverrides key={stored.version} modelId={id} stored={stored} isReadOnly={!mayWrite} />;
}

function Changes({ model, onClose }: { model: Schemas['ChargerModel']; onClose: () => void }) {
  const { t } = useTranslation('models');
  const queries = useQueryClient();
  const manufacturers = useQuery(manufacturersQuery).data ?? [];
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const { id, modelName: name } = model;
  const removing = useMutation({
    mutationFn: () => dataOf(api.DELETE('/cpms/v1/charger-models/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      notify('done', t('remove.done', { name }));
      onClose();
      await queries.invalidateQueries({ queryKey: ['models', 'list'] });
    },
    onError: (error) => notify('failed', error.message),
  });
  const close = () => setOpen(null);
  return (
    <>
      <Button onPress={() => setOpen('edit')}>{t('edit')}</Button>
      <Button isDangerous onPress={() => setOpen('remove')}>
        {t('remove.open')}
      </Button>
      {open === 'edit' && <ModelDialog model={model} manufacturers={manufacturers} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('remove.title', { name })}
          action={t('remove.action')}
          onConfirm={() => removing.mutate()}
          onClose={close}
        >
          <p>{t('remove.model')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
