import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from '../../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { PdfFrame } from '../../../ui/pdf-frame.tsx';
import { type Session, sessionKey, timelineQuery } from '../session-queries.ts';
import styles from './receipt.module.css';

const languages = ['en', 'nl', 'de', 'fr', 'es', 'sv'] as const;
const ofDriver = 'driver';
type Choice = (typeof languages)[number] | typeof ofDriver;

/** Receipt of a session as the driver gets it. It is read on request, since the first reading issues its number; a preview does not. */
export function Receipt({ session }: { session: Session }) {
  const { t } = useTranslation(['session', 'common']);
  const queries = useQueryClient();
  const entries = useQuery(timelineQuery(session)).data?.entries;
  const [shown, setShown] = useState<'preview' | 'receipt' | null>(null);
  const [language, setLanguage] = useState<Choice>(ofDriver);
  const isIssued = entries?.some(({ type }) => type === 'receipt-issued') ?? false;
  const exists = session.endedAt !== null && session.priceState === 'SETTLED' && session.cost !== null;
  const query = new URLSearchParams({
    ...(language === ofDriver ? {} : { language }),
    ...(shown === 'preview' ? { preview: 'true' } : {}),
  });
  const address = `/cpms/v1/sessions/${session.id}/receipt${query.size === 0 ? '' : `?${query}`}`;
  return (
    <div id="receipt">
      <Card
        title={t('receipt.title')}
        actions={
          exists && (
            <>
              <Select
                label={t('receipt.language')}
                hidesLabel
                options={[
                  { id: ofDriver, text: t('receipt.driverLanguage') },
                  ...languages.map((id) => ({ id, text: t(`receipt.languages.${id}`) })),
                ]}
                value={language}
                onChange={setLanguage}
              />
              {shown === 'receipt' && (
                <a className={buttonClass('quiet')} href={address} download={`receipt-${session.id}.pdf`}>
                  <Download aria-hidden size={15} />
                  {t('receipt.download')}
                </a>
              )}
            </>
          )
        }
      >
        {!exists && <p className={styles['note']}>{t('receipt.notYet')}</p>}
        {exists && shown !== 'receipt' && (
          <div className={styles['offer']}>
            {!isIssued && shown === null && (
              <Button onPress={() => setShown('preview')}>{t('receipt.preview')}</Button>
            )}
            <Button onPress={() => setShown('receipt')}>
              {t(isIssued ? 'receipt.show' : 'receipt.issue')}
            </Button>
            {!isIssued && <p className={styles['note']}>{t('receipt.issues')}</p>}
          </div>
        )}
        {exists && shown !== null && (
          <PdfFrame
            key={`${address} ${session.version}`}
            label={t(shown === 'preview' ? 'receipt.previewFrame' : 'receipt.frame')}
            address={address}
            onLoad={() =>
              void queries.invalidateQueries({ queryKey: [...sessionKey(session.id), 'timeline'] })
            }
          >
            <p className={styles['note']}>{t('receipt.noViewer')}</p>
          </PdfFrame>
        )}
      </Card>
    </div>
  );
}
