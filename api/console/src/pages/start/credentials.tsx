import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './start.module.css';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

interface Props {
  ocppUrl: string;
  user: string;
  /** Null: the password was shown before. */
  password: string | null;
}

/** Data that a charger needs to connect, to copy and as a QR code. */
export function Credentials({ ocppUrl, user, password }: Props) {
  const { t } = useTranslation('start');
  const values = [
    { name: t('credentials.address'), value: ocppUrl },
    { name: t('credentials.user'), value: user },
    ...(password === null ? [] : [{ name: t('credentials.password'), value: password }]),
  ];
  return (
    <>
      <p className={styles['once']}>{t(password === null ? 'credentials.gone' : 'credentials.once')}</p>
      <div className={styles['credentials']}>
        <dl className={styles['values']}>
          {values.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton text={value} label={t('credentials.copy', { name })} />
              </dd>
            </div>
          ))}
        </dl>
        <Suspense fallback={<Skeleton width={168} height={168} />}>
          <QrCode
            text={values.map(({ value }) => value).join('\n')}
            label={t(password === null ? 'credentials.qrPublic' : 'credentials.qr')}
          />
        </Suspense>
      </div>
    </>
  );
}
