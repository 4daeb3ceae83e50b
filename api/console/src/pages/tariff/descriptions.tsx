import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { Energy } from '../locations/energy.tsx';
import { mixOfTariff } from './energy-mix.ts';
import type { Tariff } from './tariff-queries.ts';
import styles from './tariff-page.module.css';

/** Texts that drivers and roaming partners see, if any. */
export function Descriptions({ tariff }: { tariff: Tariff }) {
  const { t } = useTranslation(['tariffs', 'common']);
  const formats = useFormats();
  const { tariff_alt_text: texts, tariff_alt_url: url, energy_mix: mix } = tariff;
  if (texts.length === 0 && url === null && mix === null) return null;
  const languages = new Intl.DisplayNames([formats.locale], { type: 'language' });
  return (
    <Card title={t('descriptions')}>
      <dl className={styles['texts']}>
        {texts.map(({ language, text }) => (
          <div key={language}>
            <dt>{languages.of(language) ?? language}</dt>
            <dd lang={language}>{text}</dd>
          </div>
        ))}
        {url !== null && (
          <div>
            <dt>{t('web')}</dt>
            <dd>
              <a href={url} rel="noreferrer" target="_blank">
                {url}
              </a>
            </dd>
          </div>
        )}
        {mix !== null && (
          <div>
            <dt>{t('energyMix')}</dt>
            <dd>
              <Energy mix={mixOfTariff(mix)} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
