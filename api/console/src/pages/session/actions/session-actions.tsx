import { BadgeCheck, CircleStop, Gauge, Pencil } from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Actable, canAmend, canApprove, canStop } from './actable.ts';
import { AmendDialog } from './amend-dialog.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { StopDialog } from './stop-dialog.tsx';

type Action = 'stop' | 'limits' | 'amend' | 'approve';

/** Actions on a session that its state and the caller's scopes permit. */
export function SessionActions({ session }: { session: Actable }) {
  const { t } = useTranslation('session');
  const [open, setOpen] = useState<Action | null>(null);
  const mayStop = useCan('cpms:command:remote-stop');
  const mayLimit = useCan('cpms:write:sessions');
  const maySettle = useCan('cpms:command:billing');
  const close = () => setOpen(null);
  return (
    <>
      {mayLimit && canStop(session) && (
        <Button onPress={() => setOpen('limits')}>
          <Gauge aria-hidden size={15} />
          {t('action.limits')}
        </Button>
      )}
      {mayStop && canStop(session) && (
        <Button kind="danger" onPress={() => setOpen('stop')}>
          <CircleStop aria-hidden size={15} />
          {t('action.stop')}
        </Button>
      )}
      {maySettle && canAmend(session) && (
        <Button onPress={() => setOpen('amend')}>
          <Pencil aria-hidden size={15} />
          {t('action.amend')}
        </Button>
      )}
      {maySettle && canApprove(session) && (
        <Button kind="primary" onPress={() => setOpen('approve')}>
          <BadgeCheck aria-hidden size={15} />
          {t('action.approve')}
        </Button>
      )}
      {open === 'stop' && <StopDialog session={session} onClose={close} />}
      {open === 'limits' && <LimitsDialog session={session} onClose={close} />}
      {open === 'amend' && <AmendDialog session={session} onClose={close} />}
      {open === 'approve' && <ApproveDialog session={session} onClose={close} />}
    </>
  );
}
