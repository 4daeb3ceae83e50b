import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { notify } from '../../ui/toast.tsx';
import { ManufacturerDialog } from './manufacturer-dialog.tsx';
import { manufacturersQuery } from './model-queries.ts';
import styles from './models.module.css';

type Manufacturer = Schemas['Manufacturer'];

/** Manufacturers of the catalog, with the contacts of their support. */
export function Manufacturers() {
  const { t } = useTranslation('models');
  const queries = useQueryClient();
  const mayWrite = useCan('cpms:write:catalog');
  const { data, error, refetch } = useQuery(manufacturersQuery);
  const [edited, setEdited] = useState<Manufacturer | null>(null);
  const [removed, setRemoved] = useState<Manufacturer | null>(null);
  const removing = useMutation({
    mutationFn: ({ id }: Manufacturer) =>
      dataOf(api.DELETE('/cpms/v1/manufacturers/{id}', { params: { path: { id } } })),
    onSuccess: (_, { name }) => notify('done', t('remove.done', { name })),
    onError: (failure) => notify('failed', failure.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['manufacturers'] }),
  });
  return (
    <Card title={t('manufacturers')}>
      {error !== null && data === undefined && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data?.length === 0 && <Empty title={t('noManufacturers')} />}
      <ul className={styles['manufacturers']}>
        {data?.map((manufacturer) => (
          <li key={manufacturer.id}>
            <span>
              {manufacturer.name}{' '}
              <span className={styles['contact']}>
                {[manufacturer.supportEmail, manufacturer.supportPhone]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </span>
            </span>
            {mayWrite && (
              <span className={styles['actions']}>
                <Button
                  kind="quiet"
                  aria-label={t('editTitle', { name: manufacturer.name })}
                  onPress={() => setEdited(manufacturer)}
                >
                  {t('edit')}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={`${t('remove.action')}: ${manufacturer.name}`}
                  onPress={() => setRemoved(manufacturer)}
                >
                  {t('remove.open')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {edited !== null && <ManufacturerDialog manufacturer={edited} onClose={() => setEdited(null)} />}
      {removed !== null && (
        <ConfirmDialog
          title={t('remove.title', { name: removed.name })}
          action={t('remove.action')}
          onConfirm={() => removing.mutate(removed)}
          onClose={() => setRemoved(null)}
        >
          <p>{t('remove.manufacturer')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
