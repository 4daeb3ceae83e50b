import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsEn } from './alerts/en.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'The charger was not connected.',
  occupied: 'Its connector was occupied or out of order.',
  balance: 'Your wallet had less than a charge needs.',
  token: 'The token that it was to be charged with may not charge, or was in use.',
  gone: 'The charger is no longer there.',
  'no-car': 'The charger was ready, but no car was plugged in.',
  missed: 'We could not try in time. We are sorry for that.',
  refused: 'The charger refused it.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `A new password for ${network}`,
  paragraphs: [
    `A new password was requested for your account at ${network}.`,
    'The link is good for one hour. If it was not you, you need not do anything: your password stays as it is.',
  ],
  action: 'Choose a new password',
});

export const en: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Confirm your e-mail address for ${network}`,
    paragraphs: [
      `An account at ${network} was registered with this e-mail address. Confirm that the address is yours, and you can charge.`,
      'The link is good for 24 hours. If you did not register, do not follow it: without you nothing happens.',
    ],
    action: 'Confirm the address',
  }),
  'account-exists': (_message, network) => ({
    subject: `You are known at ${network} already`,
    paragraphs: [
      `Somebody registered at ${network} with this e-mail address, which we know already. If that was you, log in with your password, or choose a new one here.`,
      'The link is good for one hour. If it was not you, you need not do anything: nothing was changed.',
    ],
    action: 'Choose a new password',
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Your password for ${network} was changed`,
    paragraphs: [
      `The password of your account at ${network} was changed, and you were logged out elsewhere.`,
      'If it was not you, ask for a new password in the app at once, and write to us.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Your password for ${network} was changed`,
    paragraphs: [
      `The password of your operator account at ${network} was changed, and its sessions ended.`,
      'If it was not you, request a new password on the sign-in page at once, and notify an administrator.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('en-GB', startAt, timeZone);
    return {
      subject: `Your charge at ${charger} did not start`,
      paragraphs: [
        `The charge that you scheduled at the charger ${charger} of ${network} for ${when} was not started. ${reasons[reason]}`,
        'You pay nothing for it. You can start or schedule another charge in the app.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('en-GB', keptUntil, timeZone);
    return {
      subject: `Your account at ${network} will be deleted`,
      paragraphs: [
        `You have not used your account at ${network} for a long time. We will delete it, with your personal data and your charging cards, after ${day}. Bills are kept as long as the law requires.`,
        'If you want to keep it, sign in to the app or charge by that day. Otherwise you need not do anything.',
      ],
    };
  },
  alerts: (message) => alertText(alertWordsEn, message),
  orEnterCode: 'Or enter this code in the app:',
};
