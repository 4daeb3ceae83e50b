import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, Redo2, TriangleAlert } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { Empty } from '../../../ui/notice.tsx';
import type { SentCommand } from './sent-commands.ts';
import styles from './ocpp.module.css';

const icons = {
  sent: { icon: Clock, color: '--state-occupied' },
  accepted: { icon: CircleCheck, color: '--state-available' },
  refused: { icon: TriangleAlert, color: '--state-unavailable' },
  failed: { icon: CircleAlert, color: '--state-faulted' },
} as const;

/** Commands of this visit with their answers, newest first. */
export function SentList({
  commands,
  onRepeat,
}: {
  commands: readonly SentCommand[];
  onRepeat: (command: SentCommand) => void;
}) {
  const { t } = useTranslation('ocpp');
  return (
    <Card title={t('sent.title')}>
      {commands.length === 0 ? (
        <Empty title={t('sent.empty')} />
      ) : (
        <ol className={styles['sent']} aria-label={t('sent.title')}>
          {commands.map((command) => (
            <Sent key={command.id} command={command} onRepeat={() => onRepeat(command)} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Sent({ command, onRepeat }: { command: SentCommand; onRepeat: () => void }) {
  const { t } = useTranslation('ocpp');
  const formats = useFormats();
  const { action, payload, sentAt, state, message, latencyMs, result, fields } = command;
  const { icon: Icon, color } = icons[state];
  return (
    <li className={styles['command']}>
      <div className={styles['commandHeader']}>
        <h3>{action}</h3>
        <span className={styles['state']} role="status">
          <Icon aria-hidden size={15} style={{ color: `var(${color})` }} />
          {t(`state.${state}`)}
        </span>
        <time dateTime={new Date(sentAt).toISOString()} className={styles['muted']}>
          {formats.time(sentAt)}
        </time>
        {latencyMs !== null && (
          <span className={styles['muted']}>{t('sent.latency', { time: formats.latency(latencyMs) })}</span>
        )}
      </div>
      {message !== null && state !== 'accepted' && <p>{message}</p>}
      {fields.length > 0 && (
        <ul className={styles['faults']}>
          {fields.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {result !== null && <JsonView value={result} label={t('sent.answer', { action })} />}
      <details>
        <summary>{t('sent.payload')}</summary>
        <JsonView value={payload} label={t('sent.request', { action })} />
      </details>
      <div className={styles['links']}>
        <LogLink command={command} />
        <Button kind="quiet" onPress={onRepeat}>
          <Redo2 aria-hidden size={15} />
          {t('sent.repeat')}
        </Button>
      </div>
    </li>
  );
}

/** Way to the message of a command in the log; to all of its action until the log has it. */
function LogLink({ command: { chargerId, action, messageId, state } }: { command: SentCommand }) {
  const { t } = useTranslation('ocpp');
  if (state === 'sent') return null;
  const search =
    messageId === null
      ? { tab: 'log', logAction: action, logDirection: 'out' }
      : { tab: 'log', message: messageId };
  return (
    <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }} search={search}>
      {t(messageId === null ? 'sent.inLog' : 'sent.message')}
    </Link>
  );
}
