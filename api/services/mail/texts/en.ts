import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsEn } from './alerts/en.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'The charger was offline.',
  occupied: 'The connector was in use or out of order.',
  balance: 'Your wallet balance was below the minimum for a charge.',
  token: 'The charging card or app token for this charge was blocked or already in use.',
  gone: 'The charger has been removed.',
  'no-car': 'No vehicle was plugged in.',
  missed: 'A technical problem on our side prevented the start. We apologize for that.',
  refused: 'The charger rejected the start.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Reset your ${network} password`,
  paragraphs: [`We received a request to reset the password of your ${network} account.`],
  action: 'Reset password',
  notes: [
    'The link and the code expire in 1 hour.',
    'If you did not request this, ignore this e-mail. Your password stays the same.',
  ],
});

export const en: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Confirm your e-mail address for ${network}`,
    paragraphs: [
      `Welcome to ${network}. Confirm your e-mail address to finish your registration and start charging.`,
    ],
    action: 'Confirm e-mail address',
    notes: [
      'The link and the code expire in 24 hours.',
      'If you did not register, ignore this e-mail. The account is not activated without your confirmation.',
    ],
  }),
  'account-exists': (_message, network) => ({
    subject: `You already have a ${network} account`,
    paragraphs: [
      `This e-mail address was used to register with ${network}, but it already belongs to an account. Nothing was changed.`,
      'Sign in with your existing password. If you have forgotten it, choose a new one.',
    ],
    action: 'Reset password',
    notes: ['The link and the code expire in 1 hour.', 'If you did not try to register, ignore this e-mail.'],
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Your ${network} password was changed`,
    paragraphs: [
      `The password of your ${network} account was changed. You were signed out on all other devices.`,
      'If you made this change, no action is needed.',
      'If you did not, reset your password in the app now and contact us.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Your ${network} password was changed`,
    paragraphs: [
      `The password of your operator account at ${network} was changed, and all its sessions ended.`,
      'If you made this change, no action is needed.',
      'If you did not, reset the password on the sign-in page now and notify an administrator.',
    ],
  }),
  'second-factor-reset': (_message, network) => ({
    subject: `Your second factor for ${network} was removed`,
    paragraphs: [
      `An administrator removed the second factors of your operator account at ${network}, and all its sessions ended.`,
      'Add a second factor again after you sign in.',
      'If you did not request this, change your password and notify another administrator.',
    ],
  }),
  'second-factor-failed': (_message, network) => ({
    subject: `Failed sign-in to your ${network} account`,
    paragraphs: [
      `Someone entered the password of your operator account at ${network}, and then several wrong codes or passkeys. The sign-in was refused.`,
      'If it was you, sign in again.',
      'If it was not you, change your password now and notify an administrator: someone else has it.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('en-GB', startAt, timeZone);
    return {
      subject: `Your scheduled charge at ${charger} did not start`,
      paragraphs: [
        `The charge that you scheduled at charger ${charger} of ${network} for ${when} did not start. ${reasons[reason]}`,
        'You have not been billed for it. Open the app to start or schedule another charge.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('en-GB', keptUntil, timeZone);
    return {
      subject: `Your ${network} account will be deleted after ${day}`,
      paragraphs: [
        `You have not used your ${network} account for a long time. After ${day}, we will delete the account, your personal data and your charging cards. We keep invoices only as long as the law requires.`,
        `To keep your account, sign in to the app or charge by ${day}. To let it be deleted, do nothing.`,
      ],
    };
  },
  alerts: (message, network) => alertText(alertWordsEn, message, network),
  orEnterCode: 'Or enter this code:',
  sentBy: (network) => `This e-mail was sent by ${network}.`,
  contact: (email) => `Questions? Contact ${email}.`,
};
