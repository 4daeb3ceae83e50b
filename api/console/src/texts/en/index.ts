import { charger } from './charger.ts';
import { chargerHistory } from './charger-history.ts';
import { chargers } from './chargers.ts';
import { common } from './common.ts';
import { review } from './review.ts';
import { session } from './session.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';

/** English texts by namespace, one for each page. The other languages have the same keys. */
export const en = { charger, chargerHistory, chargers, common, signIn } as const;
export const en = { charger, common, review, session, sessions, signIn } as const;
import { log } from './log.ts';
import { signIn } from './sign-in.ts';

/** English texts by namespace, one for each page. The other languages have the same keys. */
export const en = { charger, common, log, signIn } as const;
import { configuration } from './configuration.ts';
import { signIn } from './sign-in.ts';

/** English texts by namespace, one for each page. The other languages have the same keys. */
export const en = { charger, common, configuration, signIn } as const;
