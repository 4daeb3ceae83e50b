import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { notify } from '../../ui/toast.tsx';
import styles from './account.module.css';

const empty = { currentPassword: '', newPassword: '', repeated: '' };
const shownFields = ['currentPassword', 'newPassword'];

/** Changes the password of an account of this installation. */
export function PasswordForm() {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const [draft, setDraft] = useState(empty);
  const { currentPassword, newPassword, repeated } = draft;
  const changing = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/cpms/v1/auth/change-password', { body: { currentPassword, newPassword } })),
    // Its function holds the passwords.
    gcTime: 0,
    onSuccess: async () => {
      setDraft(empty);
      notify('done', t('password.done'));
      await queries.invalidateQueries({ queryKey: ['auth'] });
    },
  });
  const errorOf = fieldErrors(changing.error);
  const isDifferent = repeated !== '' && repeated !== newPassword;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (repeated === newPassword) changing.mutate();
  };
  return (
    <Card title={t('password.title')}>
      <form onSubmit={submit} className={`${form['form']} ${styles['password']}`}>
        <TextField
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={(text) => setDraft({ ...draft, currentPassword: text })}
          isRequired
          {...errorOf('currentPassword')}
        />
        <TextField
          label={t('password.next')}
          type="password"
          autoComplete="new-password"
          value={newPassword}
          onChange={(text) => setDraft({ ...draft, newPassword: text })}
          description={t('password.hint')}
          isRequired
          {...errorOf('newPassword')}
        />
        <TextField
          label={t('password.repeat')}
          type="password"
          autoComplete="new-password"
          value={repeated}
          onChange={(text) => setDraft({ ...draft, repeated: text })}
          isRequired
          isInvalid={isDifferent}
          errorMessage={t('password.different')}
        />
        <FormError error={changing.error} shown={shownFields} />
        <div>
          <Button kind="primary" type="submit" isDisabled={changing.isPending || isDifferent}>
            {t('password.title')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
