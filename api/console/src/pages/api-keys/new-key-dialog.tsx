import { bound } from '../../ui/bound.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCaller, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { usePageZone } from '../../texts/page-zone.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { Secret } from '../../ui/secret.tsx';
import { createKey, emptyDraft, type KeyDraft } from './key-draft.ts';
import { type Family, grantable, scopesQuery } from './key-queries.ts';
import { ScopeChoice } from '../people/scope-choice.tsx';

const all = 'all';
const types = ['Private', 'Publishable'] as const;
const shownFields = ['name', 'description', 'expiresAt', 'rateLimitPerHour', 'allowedIPs'];

/** Creates a key and shows its secret once. */
export function NewKeyDialog({ family, onClose }: { family: Family; onClose: () => void }) {
  const { t } = useTranslation(['apiKeys', 'common']);
  const queries = useQueryClient();
  const timeZone = usePageZone();
  const creating = useMutation({
    mutationFn: (draft: KeyDraft) => createKey(family, draft, timeZone),
    // The result holds the secret.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  const created = creating.data;
  // Closing while the key is created would lose its secret.
  const close = () => !creating.isPending && onClose();
  return (
    <Dialog
      title={t(created === undefined ? `new.${family}` : 'new.done')}
      isOpen
      isDismissable={created === undefined && !creating.isPending}
      onClose={close}
      shape="wide"
    >
      {created === undefined ? (
        <KeyForm
          family={family}
          error={creating.error}
          isSending={creating.isPending}
          onSubmit={creating.mutate}
          onClose={close}
        />
      ) : (
        <>
          <Secret label={t('column.secret')} value={created.key} />
          <DialogActions>
            <Button kind="primary" onPress={onClose}>
              {t('new.stored')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

interface FormProps {
  family: Family;
  error: Error | null;
  isSending: boolean;
  onSubmit: (draft: KeyDraft) => void;
  onClose: () => void;
}

function KeyForm({ family, error, isSending, onSubmit, onClose }: FormProps) {
  const { t } = useTranslation(['apiKeys', 'common']);
  const networks = useNetworks();
  const { networkUuid = null } = useNetworkQuery();
  const { scopes: own } = useCaller();
  const catalog = useQuery(scopesQuery).data;
  const groups = (catalog === undefined ? [] : grantable(catalog, family, own)).map(({ id, scopes }) => ({
    id,
    title: t(`groups.${id}`),
    scopes,
  }));
  // A key of the driver API belongs to one network.
  const first = family === 'emsp' ? (networks[0]?.id ?? null) : null;
  const [draft, setDraft] = useState<KeyDraft>({ ...emptyDraft, networkUuid: networkUuid ?? first });
  const set = (changed: Partial<KeyDraft>) => setDraft({ ...draft, ...changed });
  const errorOf = fieldErrors(error);
  const hasScopes = draft.isPublishable || draft.scopes.size > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft);
  };
  return (
    <form onSubmit={submit} className={form['form']}>
      <div className={form['pair']}>
        <TextField
          label={t('column.name')}
          {...bound(draft, set, 'name')}
          maxLength={100}
          isRequired
          {...errorOf('name')}
        />
        <Select
          label={t('column.networks')}
          options={[
            ...(family === 'cpms' ? [{ id: all, text: t('new.ownNetworks') }] : []),
            ...networks.map(({ id, name }) => ({ id, text: name })),
          ]}
          value={draft.networkUuid ?? all}
          onChange={(id) => set({ networkUuid: id === all ? null : id })}
        />
      </div>
      <TextField
        label={t('new.description')}
        {...bound(draft, set, 'description')}
        maxLength={500}
        {...errorOf('description')}
      />
      {family === 'emsp' && (
        <Select
          label={t('type.label')}
          options={types.map((id) => ({ id, text: t(`type.${id}`) }))}
          value={draft.isPublishable ? 'Publishable' : 'Private'}
          description={draft.isPublishable ? t('type.publishableHint') : undefined}
          onChange={(id) => set({ isPublishable: id === 'Publishable' })}
        />
      )}
      {!draft.isPublishable && (
        <>
          <ScopeChoice groups={groups} chosen={draft.scopes} onChange={(scopes) => set({ scopes })} />
          <p className={form['hint']}>{t('new.scopesHint')}</p>
        </>
      )}
      <div className={form['pair']}>
        <TextField
          label={t('column.expires')}
          type="datetime-local"
          {...bound(draft, set, 'expires')}
          {...errorOf('expiresAt')}
        />
        <TextField
          label={t('new.rate')}
          inputMode="numeric"
          value={draft.rate}
          onChange={(text) => set({ rate: text.replace(/\D/g, '') })}
          {...errorOf('rateLimitPerHour')}
        />
      </div>
      <TextArea
        label={t('addresses')}
        description={t('new.addressesHint')}
        {...bound(draft, set, 'addresses')}
        rows={2}
        isCode
        {...errorOf('allowedIPs')}
      />
      <FormError error={error} shown={shownFields} />
      <DialogActions>
        <Button isDisabled={isSending} onPress={onClose}>
          {t('common:action.cancel')}
        </Button>
        <Button kind="primary" type="submit" isDisabled={!hasScopes || isSending}>
          {t('create')}
        </Button>
      </DialogActions>
    </form>
  );
}
