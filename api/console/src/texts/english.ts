import * as modules from './en/index.ts';

/** English texts by namespace, one for each page. The other languages have the same keys. */
export const en = {
  ...modules.alerts,
  ...modules.charging,
  ...modules.common,
  ...modules.fleet,
  ...modules.load,
  ...modules.money,
  ...modules.people,
  ...modules.reporting,
  ...modules.roaming,
  ...modules.settings,
};
