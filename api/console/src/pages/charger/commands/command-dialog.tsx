import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, LoaderCircle, Radio } from '../../../ui/icons/icons.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import type { Live, LiveCharger } from '../live-charger.ts';
import styles from './command-dialog.module.css';

/** Answer of a charger to a command. */
export interface CommandAnswer {
  accepted: boolean;
  message: string;
}

/** Returns the effect that the live values show after a command, or null. */
export type Effect = (before: LiveCharger, now: LiveCharger, seen: string | null) => string | null;

/** Parts that all dialogs of commands get. */
export interface CommandProps {
  charger: Schemas['Charger'];
  live: Live;
  onClose: () => void;
}

interface Props extends CommandProps {
  title: string;
  /** OCPP action, under which the log has the messages; null when it is not known. */
  action: string | null;
  /** Text of the button; destructive commands name their object in it. */
  sendText: string;
  isDangerous?: boolean;
  canSend?: boolean;
  send: () => Promise<CommandAnswer>;
  /** Left out for commands whose effect the live values do not show. */
  effect?: Effect;
  children?: ReactNode;
}

/** Form of a command, and its course: sent, answered, effect seen. */
export function CommandDialog(props: Props) {
  const { title, action, sendText, isDangerous = false, canSend = true, children, onClose } = props;
  const { t } = useTranslation(['chargerCommands', 'common']);
  const [sent, setSent] = useState<{ at: number; before: LiveCharger | null } | null>(null);
  const command = useMutation({ mutationFn: props.send });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSend || command.isPending) return;
    setSent({ at: Date.now(), before: props.live.charger });
    command.mutate();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit} className={styles['form']}>
        {children}
        {sent !== null && (
          <Course
            key={sent.at}
            sentAt={sent.at}
            before={sent.before}
            live={props.live.charger}
            answer={command.data}
            error={command.error}
            effect={props.effect}
            log={
              action !== null && (
                <Link
                  to="/fleet/chargers/$uuid"
                  params={{ uuid: props.charger.id }}
                  search={(before) => ({ ...before, tab: 'log', logAction: action })}
                  onClick={onClose}
                >
                  {t('showMessages', { action })}
                </Link>
              )
            }
          />
        )}
        <DialogActions>
          <Button onPress={onClose}>
            {t(sent === null ? 'common:action.cancel' : 'common:action.close')}
          </Button>
          {command.data?.accepted !== true && (
            <Button
              kind="primary"
              isDangerous={isDangerous}
              type="submit"
              isDisabled={!canSend || command.isPending}
            >
              {sendText}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface CourseProps {
  sentAt: number;
  before: LiveCharger | null;
  live: LiveCharger | null;
  answer: CommandAnswer | undefined;
  error: Error | null;
  effect: Effect | undefined;
  log: ReactNode;
}

/** Steps of a sent command. */
function Course({ sentAt, before, live, answer, error, effect, log }: CourseProps) {
  const { t } = useTranslation('chargerCommands');
  const formats = useFormats();
  const [seen, setSeen] = useState<string | null>(null);
  const isAccepted = answer?.accepted === true;
  const next =
    isAccepted && effect !== undefined && before !== null && live !== null
      ? effect(before, live, seen)
      : null;
  // The effect may last for a moment only: it stays once it was seen.
  if (next !== null && next !== seen) setSeen(next);
  return (
    <ol role="status" className={styles['course']}>
      <Step icon={<Check aria-hidden size={15} />} kind="done">
        {t('sent', { time: formats.time(sentAt) })}
      </Step>
      {error !== null ? (
        <Step icon={<CircleAlert aria-hidden size={15} />} kind="failed">
          {error.message}
        </Step>
      ) : answer === undefined ? (
        <Step icon={<LoaderCircle aria-hidden size={15} />} kind="waiting">
          {t('waiting')}
        </Step>
      ) : (
        <Step
          icon={isAccepted ? <Check aria-hidden size={15} /> : <CircleAlert aria-hidden size={15} />}
          kind={isAccepted ? 'done' : 'failed'}
        >
          {t(isAccepted ? 'accepted' : 'refused')} <span className={styles['detail']}>{answer.message}</span>
        </Step>
      )}
      {isAccepted && effect !== undefined && (
        <Step icon={<Radio aria-hidden size={15} />} kind={seen === null ? 'waiting' : 'done'}>
          {seen ?? t('noEffectYet')}
        </Step>
      )}
      {(answer !== undefined || error !== null) && <li>{log}</li>}
    </ol>
  );
}

function Step({
  icon,
  kind,
  children,
}: {
  icon: ReactNode;
  kind: 'done' | 'failed' | 'waiting';
  children: ReactNode;
}) {
  return (
    <li className={styles['step']} data-kind={kind}>
      {icon}
      <span>{children}</span>
    </li>
  );
}
