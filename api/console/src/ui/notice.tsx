import { CircleSlash, CloudOff, Lock, SearchX, TriangleAlert } from './icons/icons.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, unreachable } from '../api/client.ts';
import { Button } from './button.tsx';
import { Skeleton } from './skeleton.tsx';
import styles from './notice.module.css';

/** Says that there is nothing, and what leads on. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles['notice']}>
      <CircleSlash aria-hidden size={22} />
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  );
}

const kinds = {
  forbidden: { icon: Lock, title: 'error.forbidden' },
  notFound: { icon: SearchX, title: 'error.notFound' },
  unreachable: { icon: CloudOff, title: 'error.unreachable' },
  failed: { icon: TriangleAlert, title: 'error.title' },
} as const;

function kindOf(error: unknown): keyof typeof kinds {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === unreachable) return 'unreachable';
  if (error.status === 403) return 'forbidden';
  return error.status === 404 ? 'notFound' : 'failed';
}

/** Explains a failed request: what happened, its request id, and how to go on. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const kind = kindOf(error);
  const { icon: Icon, title } = kinds[kind];
  const details = { notFound: t('error.notFoundDetail'), unreachable: t('error.unreachableDetail') };
  const detail =
    kind === 'notFound' || kind === 'unreachable'
      ? details[kind]
      : error instanceof Error
        ? error.message
        : String(error);
  return (
    <div className={styles['notice']} role="alert">
      <Icon aria-hidden size={22} />
      <p className={styles['title']}>{t(title)}</p>
      <p>{detail}</p>
      {error instanceof ApiError && error.requestId !== null && (
        <p className={styles['request']}>{t('error.requestId', { id: error.requestId })}</p>
      )}
      {retry !== undefined && <Button onPress={retry}>{t('action.retry')}</Button>}
    </div>
  );
}

interface PendingQuery {
  error: Error | null;
  refetch: () => unknown;
}

/** Shows what a query without data shows: a skeleton while it is loading, its error after it failed. */
export function QueryPending({ query, height }: { query: PendingQuery; height: number }) {
  const { error, refetch } = query;
  if (error === null) return <Skeleton height={height} />;
  return <ErrorNotice error={error} retry={() => void refetch()} />;
}
