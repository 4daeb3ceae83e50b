import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Facts } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Expiry } from './expiry.tsx';
import { commonName, oneLine } from './names.ts';
import styles from './certificates.module.css';

/** All fields of a certificate, with its PEM to copy. */
export function CertificateDetails({
  certificate,
  onClose,
}: {
  certificate: Schemas['Certificate'];
  onClose: () => void;
}) {
  const { t } = useTranslation('certificates');
  const formats = useFormats();
  return (
    <Dialog title={commonName(certificate)} isOpen onClose={onClose} shape="side">
      <Facts
        facts={[
          [t('subject'), oneLine(certificate.subject) ?? absent],
          [t('issuer'), oneLine(certificate.issuer) ?? absent],
          [t('type'), certificate.certificateType],
          [t('validFrom'), formats.dateTime(certificate.validFrom)],
          [t('expires'), <Expiry key="expires" validTo={certificate.validTo} />],
          [t('installed'), formats.dateTime(certificate.installedAt)],
          [t('serial'), certificate.serialNumber],
          [t('fingerprint'), certificate.fingerprint256 ?? absent],
          [t('hashAlgorithm'), certificate.hashAlgorithm],
          [t('issuerNameHash'), certificate.issuerNameHash],
          [t('issuerKeyHash'), certificate.issuerKeyHash],
        ]}
      />
      <div className={styles['pem']}>
        <div className={styles['pemTitle']}>
          <h3>PEM</h3>
          <CopyButton text={certificate.pem} label={t('copyPem')} />
        </div>
        <pre>{certificate.pem}</pre>
      </div>
    </Dialog>
  );
}
