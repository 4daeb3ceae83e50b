import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import form from '../../ui/form.module.css';
import { SaveActions } from '../../ui/save-actions.tsx';
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
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        {children}
        <SaveActions saving={saving} isReady={isReady} onClose={onClose} />
      </form>
    </Dialog>
  );
}
