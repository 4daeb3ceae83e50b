import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import page from '../../ui/list-page.module.css';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { healthStates, type Webhook, webhookQuery } from './webhook-queries.ts';

/** One webhook: the state of its delivery, its attempts and its dead letters. */
export function WebhookPage() {
  const { t } = useTranslation('webhooks');
  const { uuid } = useParams({ from: '/signed-in/settings/webhooks/$uuid' });
  const { tab } = useSearch({ from: '/signed-in/settings/webhooks/$uuid' });
  const navigate = useNavigate();
  const mayWrite = useCan('cpms:write:webhooks');
  const query = useQuery(webhookQuery(uuid));
  const { data: webhook, error, refetch } = query;
  if (webhook === undefined) {
    return error === null ? (
      <div className={page['page']}>
        <Skeleton width={320} height={28} />
        <Skeleton height={160} />
        <Skeleton height={320} />
      </div>
    ) : (
      <ErrorNotice error={error} retry={() => void refetch()} />
    );
  }
  const deliveries = () => <Deliveries webhook={webhook} />;
  const deadLetters = () => <DeadLetters webhook={webhook} mayReplay={mayWrite} />;
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <div>
          <p className={page['back']}>
            <Link to="/settings/webhooks">{t('title')}</Link>
          </p>
          <h1>{webhook.description ?? webhook.url}</h1>
        </div>
        {mayWrite && (
          <div className={page['actions']}>
            <WebhookActions
              webhook={webhook}
              onDeleted={() => void navigate({ to: '/settings/webhooks', replace: true })}
            />
          </div>
        )}
      </header>
      <StaleNotice query={query} />
      <Health webhook={webhook} />
      <Tabs
        label={t('sections')}
        tabs={[
          { id: 'deliveries', title: t('deliveries'), content: deliveries },
          {
            id: 'dead-letters',
            title: t('deadLettersCount', { count: webhook.health.deadLetters }),
            content: deadLetters,
          },
        ]}
        selected={tab === 'dead-letters' ? 'dead-letters' : 'deliveries'}
        onSelect={(id) =>
          void navigate({
            to: '.',
            search: ({ network }: { network?: string }) => ({
              ...(network !== undefined && { network }),
              tab: id,
            }),
            replace: true,
          })
        }
      />
    </div>
  );
}

function Health({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  const formats = useFormats();
  const { health, types, url, order, disabledReason, previousSecretExpiresAt } = webhook;
  const word = t(`state.${health.state}`);
  const count = health.backlog + health.waiting;
  const waiting =
    health.state === 'DISABLED' && count > 0 ? t('sentWhenEnabled', { count }) : formats.integer(count);
  return (
    <Card>
      <Facts
        facts={[
          [
            t('field.state'),
            <StateBadge
              key="state"
              state={healthStates[health.state]}
              word={disabledReason === null ? word : `${word} · ${t(`reason.${disabledReason}`)}`}
            />,
          ],
          [t('field.url'), url],
          [t('field.types'), types.length === 0 ? t('allTypes') : types.join(', ')],
          [t('field.order'), t(`order.${order}`)],
          [t('field.delivered'), formats.integer(health.delivered)],
          [t('field.failed'), formats.integer(health.failed)],
          [t('field.backlog'), waiting],
          [t('field.lastDelivered'), formats.dateTime(health.lastDeliveredAt)],
          [t('field.lastError'), health.lastError ?? absent],
          ...(health.nextTryAt === null
            ? []
            : [[t('field.nextTry'), formats.dateTime(health.nextTryAt)] as [string, string]]),
          ...(previousSecretExpiresAt === null
            ? []
            : [[t('field.previousSecret'), formats.dateTime(previousSecretExpiresAt)] as [string, string]]),
        ]}
      />
    </Card>
  );
}
