import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../ui/form.tsx';
import { notify } from '../../ui/toast.tsx';

interface Props<Saved> {
  title: string;
  /** Name of the object, for the report. */
  name: string;
  isReady: boolean;
  children: ReactNode;
  save: () => Promise<Saved>;
  onSaved?: ((saved: Saved) => void) | undefined;
  onClose: () => void;
}

/** Dialog with a form that saves an object of the catalog. */
export function SaveDialog<Saved>({ title, name, isReady, children, save, onSaved, onClose }: Props<Saved>) {
  const { t } = useTranslation(['models', 'common']);
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async (saved) => {
      for (const key of ['models', 'manufacturers']) await queries.invalidateQueries({ queryKey: [key] });
      notify('done', t('saved', { name }));
      onClose();
      onSaved?.(saved);
    },
  });
  return (
    <FormDialog
      title={title}
      saving={saving}
      isReady={isReady}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  );
}
