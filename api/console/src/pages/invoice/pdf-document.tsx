import { Download, FileText } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PdfFrame } from '../../ui/pdf-frame.tsx';
import type { Invoice } from './invoice-page.tsx';
import styles from './invoice-page.module.css';

/** The document as the driver gets it, on request, and its download. */
export function PdfDocument({ invoice: { id, kind, invoiceNumber } }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const [isShown, setShown] = useState(false);
  const address = `/cpms/v1/invoices/${id}/pdf`;
  return (
    <Card
      title={t('invoice.document')}
      actions={
        <a className={styles['download']} href={address} download={`${invoiceNumber}.pdf`}>
          <Download aria-hidden size={15} />
          {t('invoice.download')}
        </a>
      }
    >
      {isShown ? (
        <PdfFrame label={t(`invoice.heading.${kind}`, { number: invoiceNumber })} address={address}>
          <p className={styles['note']}>{t('invoice.noViewer')}</p>
        </PdfFrame>
      ) : (
        <Button onPress={() => setShown(true)}>
          <FileText aria-hidden size={15} />
          {t('invoice.show')}
        </Button>
      )}
    </Card>
  );
}
