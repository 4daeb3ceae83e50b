import { titles } from '#shared/domain/fleet/alert-titles/de.ts';
import alertTexts from './alerts.json' with { type: 'json' };

export { default as charging } from './charging.json' with { type: 'json' };
export { default as common } from './common.json' with { type: 'json' };
export { default as fleet } from './fleet.json' with { type: 'json' };
export { default as load } from './load.json' with { type: 'json' };
export { default as money } from './money.json' with { type: 'json' };
export { default as people } from './people.json' with { type: 'json' };
export { default as reporting } from './reporting.json' with { type: 'json' };
export { default as roaming } from './roaming.json' with { type: 'json' };
export { default as settings } from './settings.json' with { type: 'json' };

/** Texts about alerts, with the titles that e-mails and other channels have too. */
export const alerts = { alerts: { ...alertTexts.alerts, ...titles } };
