import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type TariffTemplate, tariffTemplates } from './templates.ts';
import styles from './editor.module.css';

/** Templates of a new tariff, each a button that fills the form. */
export function TemplateList({ onChoose }: { onChoose: (prices: TariffTemplate['prices']) => void }) {
  const { t } = useTranslation('tariffEditor');
  return (
    <Card title={t('template.title')}>
      <div className={styles['components']}>
        <p className={styles['hint']}>{t('template.hint')}</p>
        <div className={styles['actions']}>
          {tariffTemplates.map(({ id, prices }) => (
            <Button key={id} onPress={() => onChoose(prices)}>
              {t(`template.${id}`)}
            </Button>
          ))}
        </div>
      </div>
    </Card>
  );
}
