import { Download } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { isRunning, type Session } from './session-queries.ts';
import styles from './receipt/receipt.module.css';

/** State of the signed meter values of a session, and their file for the transparency software. Nothing without such values. */
export function SignedValues({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { signatureState: state, signedEnergyKwh: energy } = session;
  // While it runs the end is missing as a matter of course.
  if (state === 'NONE' || (state === 'INCOMPLETE' && isRunning(session))) return null;
  return (
    <Card
      title={t('signed.title')}
      actions={
        <a
          className={styles['download']}
          href={`/cpms/v1/sessions/${session.id}/signed-meter-values`}
          download={`signed-meter-values-${session.id}.xml`}
        >
          <Download aria-hidden size={15} />
          {t('signed.download')}
        </a>
      }
    >
      <Facts
        facts={[
          [t('signed.state'), t(`signed.states.${state}`)],
          [t('signed.energy'), energy === null ? absent : formats.energy(energy)],
        ]}
      />
    </Card>
  );
}
