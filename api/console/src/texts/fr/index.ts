import type { Texts } from '../texts.ts';
import { charger } from './charger.ts';
import { chargerHistory } from './charger-history.ts';
import { chargers } from './chargers.ts';
import { common } from './common.ts';
import { review } from './review.ts';
import { session } from './session.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';

export const fr: Texts = { charger, chargerHistory, chargers, common, signIn };
export const fr: Texts = { charger, common, review, session, sessions, signIn };
import { log } from './log.ts';
import { signIn } from './sign-in.ts';

export const fr: Texts = { charger, common, log, signIn };
import { configuration } from './configuration.ts';
import { signIn } from './sign-in.ts';

export const fr: Texts = { charger, common, configuration, signIn };
