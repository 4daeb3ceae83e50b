import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notify } from '../../ui/toast.tsx';
import { changePartner, type Partner, registrationCommands } from './roaming-queries.ts';
import styles from './roaming.module.css';

const actions = ['rotate', 'suspend', 'unregister', 'remove'] as const;
type Action = (typeof actions)[number];

/** Commands about a partner. Each asks first. */
export function PartnerActions({ partner }: { partner: Partner }) {
  const { t } = useTranslation('roaming');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Action | null>(null);
  const { id, name, status, registration } = partner;
  const isSuspended = status === 'SUSPENDED';
  const acting = useMutation({
    mutationFn: async (action: Action) => {
      if (action === 'rotate') await registrationCommands.rotate(id);
      if (action === 'suspend') await changePartner(partner, { isSuspended: !isSuspended });
      if (action === 'remove') await registrationCommands.remove(id);
      if (action !== 'unregister') return t(`actions.${action}.done`, { name });
      const { outcome, reason } = await registrationCommands.unregister(id);
      return [t(`actions.unregister.${outcome}`, { name }), reason].filter((part) => part !== null).join(' ');
    },
    onSuccess: async (text, action) => {
      notify('done', text);
      await queries.invalidateQueries({ queryKey: ['ocpi-partners'] });
      if (action === 'remove') await navigate({ to: '/roaming/partners' });
      else await queries.invalidateQueries({ queryKey: ['ocpi-partner', id] });
    },
    onError: async (error) => {
      notify('failed', error.message);
      await queries.invalidateQueries({ queryKey: ['ocpi-partner', id] });
    },
  });
  const isOffered: Record<Action, boolean> = {
    rotate: status === 'REGISTERED',
    suspend: status !== 'PENDING',
    unregister: registration !== 'NONE',
    remove: true,
  };
  const titleOf = (action: Action) => (action === 'suspend' && isSuspended ? 'resume' : action);
  return (
    <div className={styles['badges']}>
      <Link to="/roaming/exchanges" search={{ partner: id }}>
        {t('actions.exchanges')}
      </Link>
      {actions
        .filter((action) => isOffered[action])
        .map((action) => (
          <Button
            key={action}
            isDangerous={action === 'remove'}
            isDisabled={acting.isPending}
            onPress={() => setAsked(action)}
          >
            {t(`actions.${titleOf(action)}.label`)}
          </Button>
        ))}
      {asked !== null && (
        <ConfirmDialog
          title={t(`actions.${titleOf(asked)}.question`, { name })}
          action={t(`actions.${titleOf(asked)}.label`)}
          onConfirm={() => acting.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{t(`actions.${titleOf(asked)}.consequence`)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
