import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Trash2 } from '../../ui/icons/icons.ts';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api, bodies, type Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.tsx';
import styles from './saved-views.module.css';

type Page = Schemas['SavedView']['page'];

const viewsQuery = (page: Page) =>
  queryOptions({
    queryKey: ['saved-views', page],
    queryFn: () => api.GET('/cpms/v1/saved-views', { params: { query: { page } } }),
    staleTime: 60_000,
  });

/** Views of a list that the caller saved, or others shared: filters and order, by a name. */
export function SavedViews({ page, search }: { page: Page; search: Record<string, string | undefined> }) {
  const { t } = useTranslation(['savedViews', 'common']);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const views = useQuery(viewsQuery(page)).data ?? [];
  const [open, setOpen] = useState<'save' | 'manage' | null>(null);
  const [removed, setRemoved] = useState<Schemas['SavedView'] | null>(null);
  const renew = () => queries.invalidateQueries({ queryKey: ['saved-views', page] });

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '' } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const query = Object.fromEntries(Object.entries(search).filter(([key]) => key !== 'network'));
    try {
      await bodies.POST('/cpms/v1/saved-views', { body: { name, page, query } });
      setOpen(null);
      await renew();
    } catch (error) {
      notify('failed', error instanceof Error ? error.message : String(error));
    }
  };
  const remove = async (uuid: string) => {
    await bodies
      .DELETE('/cpms/v1/saved-views/{uuid}', { params: { path: { uuid } } })
      .catch((error: unknown) => notify('failed', String(error)));
    await renew();
  };
  const own = views.filter(({ isOwn }) => isOwn);
  return (
    <>
      <Menu
        label={t('title')}
        trigger={
          <Button kind="quiet">
            <Bookmark aria-hidden size={15} />
            {t('title')}
          </Button>
        }
        groups={[
          views.map(({ id, name, isOwn, ownerName, query }) => ({
            id,
            text: isOwn ? name : t('shared', { name, owner: ownerName ?? '' }),
            onAction: () => void navigate({ to: '.', search: ({ network }) => ({ ...query, network }) }),
          })),
          [
            { id: 'save', text: t('save'), onAction: () => setOpen('save') },
            ...(own.length > 0
              ? [{ id: 'manage', text: t('manage'), onAction: () => setOpen('manage') }]
              : []),
          ],
        ]}
      />
      <Dialog title={t('save')} isOpen={open === 'save'} onClose={() => setOpen(null)}>
        <Form onSubmit={(event) => void save(event)}>
          <TextField label={t('name')} name="name" isRequired maxLength={100} />
          <DialogActions>
            <Button onPress={() => setOpen(null)}>{t('common:action.cancel')}</Button>
            <Button kind="primary" type="submit">
              {t('common:action.save')}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
      <Dialog title={t('manage')} isOpen={open === 'manage'} onClose={() => setOpen(null)}>
        <ul className={styles['views']}>
          {own.map((view) => (
            <li key={view.id}>
              {view.name}
              <Button
                kind="quiet"
                isIcon
                aria-label={t('remove', { name: view.name })}
                onPress={() => setRemoved(view)}
              >
                <Trash2 aria-hidden size={15} />
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
      {removed !== null && (
        <ConfirmDialog
          title={t('removeTitle', { name: removed.name })}
          action={t('removeAction')}
          onConfirm={() => void remove(removed.id)}
          onClose={() => setRemoved(null)}
        >
          <p>{t(removed.sharedWithNetworkId !== null ? 'removeShared' : 'removeOwn')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
