import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';

/** Returns the connectors of a charger as the options of a choice. */
export function useConnectorOptions(charger: Schemas['Charger']) {
  const { t } = useTranslation('charger');
  return charger.connectors.map(({ number }) => ({
    id: String(number),
    text: t('connector.title', { number }),
  }));
}
