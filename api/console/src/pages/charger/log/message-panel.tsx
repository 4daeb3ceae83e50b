import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { X } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonView } from '../../../ui/json-view.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Direction } from './direction.tsx';
import type { Exchange, Message } from './exchange-log.ts';
import { directionOf, frameOf, outcomeOf, transactionOf } from './frames.ts';
import { OutcomeWord } from './outcome-word.tsx';
import type { Opened } from './use-opened.ts';
import styles from './message-panel.module.css';

interface Props {
  charger: Schemas['Charger'];
  opened: Opened;
}

/** Call and answer of an exchange next to the log. */
export function MessagePanel({ onClose, ...props }: Props & { onClose: () => void }) {
  const { t } = useTranslation(['log', 'common']);
  return (
    <section className={styles['panel']} aria-label={t('panel.title')}>
      <header className={styles['header']}>
        <h2>{actionOf(props.opened) ?? t('panel.title')}</h2>
        <Button kind="quiet" isIcon aria-label={t('common:action.close')} onPress={onClose}>
          <X aria-hidden size={18} />
        </Button>
      </header>
      <MessageContent {...props} />
    </section>
  );
}

/** Returns the action of the opened exchange. */
export function actionOf({ exchange }: Opened): string | null {
  return (exchange?.call ?? exchange?.answer)?.action ?? null;
}

/** Call and answer of an exchange with their payloads. */
export function MessageContent({ charger, opened: { exchange, isLoading, error } }: Props) {
  const { t } = useTranslation('log');
  if (exchange !== null) return <Details charger={charger} exchange={exchange} />;
  if (isLoading) return <Skeleton height={320} />;
  return error === null ? <Empty title={t('panel.missing')} /> : <ErrorNotice error={error} />;
}

function Details({ charger, exchange }: { charger: Schemas['Charger']; exchange: Exchange }) {
  const { t } = useTranslation('log');
  const formats = useFormats();
  const { call, answer } = exchange;
  const first = call ?? answer;
  return (
    <div className={styles['details']}>
      <Facts
        facts={[
          [t('column.direction'), <Direction key="direction" direction={directionOf(exchange)} />],
          [t('column.outcome'), <OutcomeWord key="outcome" outcome={outcomeOf(exchange)} />],
          [t('column.latency'), formats.latency(answer?.latencyMs)],
          [t('panel.messageId'), <code key="id">{first?.messageId ?? '–'}</code>],
          [t('panel.version'), first === null ? '–' : `OCPP ${first.ocppVersion}`],
          [t('panel.session'), <SessionLink key="session" charger={charger} exchange={exchange} />],
        ]}
      />
      {call !== null && <FrameView title={t('panel.call')} message={call} />}
      {answer !== null && <FrameView title={t('panel.answer')} message={answer} />}
      {answer === null && call?.kind === 'call' && <p className={styles['missing']}>{t('panel.noAnswer')}</p>}
    </div>
  );
}

function FrameView({ title, message }: { title: string; message: Message }) {
  const { t } = useTranslation('log');
  const formats = useFormats();
  const frame = frameOf(message);
  return (
    <section className={styles['frame']} aria-label={title}>
      <header className={styles['frameHeader']}>
        <h3>{title}</h3>
        <time dateTime={message.time}>{formats.preciseTime(message.time)}</time>
        <div className={styles['copies']}>
          {frame !== null && (
            <CopyButton
              isIcon={false}
              text={JSON.stringify(frame.payload, null, 2)}
              label={t('panel.copyJson')}
            />
          )}
          <CopyButton isIcon={false} text={message.payload} label={t('panel.copyFrame')} />
        </div>
      </header>
      {frame === null ? (
        <pre className={styles['raw']}>{message.payload}</pre>
      ) : (
        <JsonView value={frame.payload} label={title} />
      )}
      {message.truncated && <p className={styles['missing']}>{t('panel.truncated')}</p>}
    </section>
  );
}

/** Way to the session whose transaction an exchange names. */
function SessionLink({ charger, exchange }: { charger: Schemas['Charger']; exchange: Exchange }) {
  const { t } = useTranslation('log');
  const transaction = transactionOf(exchange);
  const mayRead = useCan('cpms:read:sessions');
  const { data: session, isLoading } = useQuery({
    queryKey: ['sessions', 'transaction', charger.id, transaction],
    enabled: mayRead && transaction !== null,
    staleTime: 300_000,
    queryFn: async () => {
      const query = { chargerId: charger.id, search: transaction ?? '', pageSize: 10 };
      const found = await api.GET('/cpms/v1/sessions', { params: { query } });
      return found.find(({ transactionId }) => transactionId === transaction) ?? null;
    },
  });
  if (transaction === null) return '–';
  if (isLoading) return <Skeleton width={120} />;
  const name = t('panel.transaction', { id: transaction });
  if (session === undefined || session === null) return name;
  return (
    <Link to="/charging/sessions/$uuid" params={{ uuid: session.id }}>
      {name}
    </Link>
  );
}
