import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { api, dataOf } from '../../api/client.ts';
import { hasFailed } from './exchange-columns.tsx';
import { exchangeQuery } from './roaming-queries.ts';
import styles from './roaming.module.css';

/** One exchange: its request and its answer, and its repetition. */
export function ExchangePanel({ id }: { id: string }) {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  const queries = useQueryClient();
  const mayRetry = useCan('cpms:write:ocpi-partners');
  const { data: exchange, error, refetch } = useQuery(exchangeQuery(id));
  const retrying = useMutation({
    mutationFn: () => dataOf(api.POST('/cpms/v1/ocpi-exchanges/{id}/retry', { params: { path: { id } } })),
    onSuccess: async () => {
      notify('done', t('exchanges.queued'));
      await queries.invalidateQueries({ queryKey: ['ocpi-exchanges'] });
    },
    onError: (failure) => notify('failed', failure.message),
  });
  if (error !== null && exchange === undefined) {
    return <ErrorNotice error={error} retry={() => void refetch()} />;
  }
  if (exchange === undefined) return <Skeleton height={320} />;
  return (
    <div className={styles['form']}>
      <code className={styles['url']}>
        {exchange.method} {exchange.url}
      </code>
      <Facts
        facts={[
          [t('exchanges.time'), formats.dateTime(exchange.time)],
          [
            t('exchanges.partner'),
            <Link key="partner" to="/roaming/partners/$uuid" params={{ uuid: exchange.partnerId }}>
              {exchange.partnerName}
            </Link>,
          ],
          [t('exchanges.direction'), t(`exchanges.${exchange.direction}`)],
          [
            t('exchanges.status'),
            exchange.httpStatus === null ? t('exchanges.noAnswer') : `HTTP ${exchange.httpStatus}`,
          ],
          [t('exchanges.ocpiStatus'), exchange.ocpiStatus === null ? absent : String(exchange.ocpiStatus)],
          [t('exchanges.latency'), `${formats.integer(exchange.latencyMs)} ms`],
          [t('exchanges.correlation'), exchange.correlationId || absent],
        ]}
      />
      {exchange.error !== null && <p className={styles['failure']}>{exchange.error}</p>}
      {mayRetry && exchange.isRepeatable && hasFailed(exchange) && (
        <div>
          <Button kind="primary" isDisabled={retrying.isPending} onPress={() => retrying.mutate()}>
            {t('exchanges.retry')}
          </Button>
          <p className={styles['muted']}>{t('exchanges.retryHint')}</p>
        </div>
      )}
      <Body title={t('exchanges.requestBody')} text={exchange.request} />
      <Body title={t('exchanges.responseBody')} text={exchange.response} />
    </div>
  );
}

function Body({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('roaming');
  if (text === '') return <p className={styles['muted']}>{t('exchanges.noBody', { title })}</p>;
  return (
    <section>
      <header className={styles['bodyHeader']}>
        <h3>{title}</h3>
        <CopyButton text={text} />
      </header>
      <JsonView value={valueOf(text)} label={title} />
    </section>
  );
}

/** Returns the JSON of a body; a body that was cut or is no JSON stays a text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
