import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from './page-states.module.css';

/** Page that failed: explains why and offers to load it again. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className={styles['state']}>
      <ErrorNotice error={error} retry={retry} />
    </main>
  );
}

/** Address without a page. */
export function PageMissing() {
  const { t } = useTranslation();
  return (
    <main className={styles['state']}>
      <h1>{t('error.page')}</h1>
      <Link to="/">{t('error.overview')}</Link>
    </main>
  );
}

/** Page that is loading. */
export function PagePending() {
  return (
    <div className={styles['pending']}>
      <Skeleton width={240} height={28} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </div>
  );
}
