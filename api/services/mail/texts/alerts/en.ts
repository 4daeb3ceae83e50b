import type { AlertWords } from './alert-text.ts';

export const alertWordsEn: AlertWords = {
  language: 'en-GB',
  kinds: {
    'charger-offline': ['Charger offline', (count) => `${count} chargers offline`],
    'location-offline': ['Site offline', (count) => `${count} sites offline`],
    'connection-rejected': [
      'Connections of a charger rejected',
      (count) => `Connections of ${count} chargers rejected`,
    ],
    'password-guessing': [
      'Wrong passwords throttled',
      (count) => `Wrong passwords for ${count} chargers throttled`,
    ],
    'charger-faulted': ['Charger faulted', (count) => `${count} chargers faulted`],
    'connector-faulted': ['Connector faulted', (count) => `${count} connectors faulted`],
    'clock-wrong': ['Clock of a charger wrong', (count) => `Clocks of ${count} chargers wrong`],
    'starts-refused': ['Starts refused in a row', (count) => `Starts refused in a row at ${count} chargers`],
    'session-without-energy': ['Session without energy', (count) => `${count} sessions without energy`],
    'session-without-tariff': [
      'Session without a tariff',
      (count) => `Sessions without a tariff at ${count} chargers`,
    ],
    'session-estimated': ['Session closed by estimate', (count) => `${count} sessions closed by estimate`],
    'session-in-review': ['Session to review', (count) => `${count} sessions to review`],
    'unmatched-stop': [
      'Stop of an unknown session',
      (count) => `Stops of unknown sessions at ${count} chargers`,
    ],
    'security-event': ['Security event', (count) => `${count} security events`],
    'firmware-failed': ['Firmware update failed', (count) => `Firmware updates of ${count} chargers failed`],
    'gateway-spooling': ['Readings wait on a gateway', (count) => `Readings wait on ${count} gateways`],
    'certificate-expiring': ['Certificate expires soon', (count) => `${count} certificates expire soon`],
    'api-key-expiring': ['API key expires soon', (count) => `${count} API keys expire soon`],
    'partner-unreachable': [
      'Roaming partner unreachable',
      (count) => `${count} roaming partners unreachable`,
    ],
    'partner-token-expiring': [
      'Token of a roaming partner not renewed',
      (count) => `Tokens of ${count} roaming partners not renewed`,
    ],
    'ocpi-party-refused': [
      'Roaming party refused',
      (count) => `Parties of ${count} roaming partners refused`,
    ],
    'ocpi-object-refused': [
      'Object refused by a roaming partner',
      (count) => `Objects refused by ${count} roaming partners`,
    ],
    'payment-currency-mismatch': [
      'Payment in another currency',
      (count) => `${count} payments in another currency`,
    ],
  },
  severities: { critical: 'critical', warning: 'warning' },
  escalated: 'Not acknowledged',
  cleared: 'Cleared',
  flapping: 'Unstable',
  where: 'Where',
  since: 'Since',
  until: 'Until',
  affected: 'Affected',
  stillOffline: (count) => `Still offline: ${count}`,
  andMore: (count) => `and ${count} more`,
  digest: (count) => `${count} notifications`,
  more: (count) => `And ${count} more. The list of alerts has all of them.`,
  open: 'Open the alert',
  intro: {
    raised: 'This needs your attention.',
    escalated: 'Nobody has acknowledged this alert.',
    cleared: 'This is over. You need not do anything.',
    several: 'Several alerts have changed.',
  },
  flappingNote:
    'Unstable: the condition ended and came back several times within an hour. You get no further e-mails about it until it is stable.',
  requests: {
    acknowledge: 'Acknowledge:',
    mute: 'Mute a charger, a location or a kind:',
    rule: 'Recipients and thresholds:',
  },
};
