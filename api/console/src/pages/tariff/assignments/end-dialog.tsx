import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import form from '../../../ui/form.module.css';
import type { Assignment, Tariff } from '../tariff-queries.ts';
import { assignmentState } from './assignment-state.ts';
import { targetText } from './assignment-table.tsx';
import { useAssigning } from './use-assigning.ts';

/** Confirmation that ends an assignment now, or withdraws a future one. */
export function EndDialog({
  tariff,
  assignment,
  onClose,
}: {
  tariff: Tariff;
  assignment: Assignment;
  onClose: () => void;
}) {
  const { t } = useTranslation(['tariffs', 'common']);
  const [now] = useState(() => Date.now());
  const target = targetText(t, assignment);
  const end = useAssigning(
    tariff.id,
    () =>
      body(api.DELETE('/cpms/v1/tariff-assignments/{uuid}', { params: { path: { uuid: assignment.id } } })),
    t('end.done', { name: tariff.name, target }),
    onClose,
  );
  return (
    <Dialog title={t('end.title', { name: tariff.name, target })} isOpen onClose={onClose}>
      <p>{t(assignmentState(assignment, now) === 'future' ? 'end.future' : 'end.present')}</p>
      {end.error !== null && (
        <p role="alert" className={form['error']}>
          {end.error.message}
        </p>
      )}
      <DialogActions>
        <Button onPress={onClose}>{t('common:action.cancel')}</Button>
        <Button kind="danger" isDisabled={end.isPending} onPress={() => end.mutate(undefined)}>
          {t('end.action')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
