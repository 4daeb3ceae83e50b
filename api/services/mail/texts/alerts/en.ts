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
    'clock-wrong': ['Charger clock wrong', (count) => `Clocks of ${count} chargers wrong`],
    'starts-refused': [
      'Starts rejected repeatedly',
      (count) => `Starts rejected repeatedly at ${count} chargers`,
    ],
    'session-without-energy': ['Session without energy', (count) => `${count} sessions without energy`],
    'session-without-tariff': [
      'Session without a tariff',
      (count) => `Sessions without a tariff at ${count} chargers`,
    ],
    'session-estimated': ['Session closed by estimate', (count) => `${count} sessions closed by estimate`],
    'session-in-review': ['Session needs review', (count) => `${count} sessions need review`],
    'unmatched-stop': [
      'Stop for an unknown session',
      (count) => `Stops for unknown sessions at ${count} chargers`,
    ],
    'security-event': ['Security event', (count) => `${count} security events`],
    'firmware-failed': ['Firmware update failed', (count) => `Firmware updates of ${count} chargers failed`],
    'gateway-spooling': ['Readings queued on a gateway', (count) => `Readings queued on ${count} gateways`],
    'certificate-expiring': ['Certificate expires soon', (count) => `${count} certificates expire soon`],
    'api-key-expiring': ['API key expires soon', (count) => `${count} API keys expire soon`],
    'partner-unreachable': [
      'Roaming partner unreachable',
      (count) => `${count} roaming partners unreachable`,
    ],
    'partner-token-expiring': [
      'Roaming partner token not renewed',
      (count) => `Tokens of ${count} roaming partners not renewed`,
    ],
    'ocpi-party-refused': [
      'Roaming party rejected',
      (count) => `Parties of ${count} roaming partners rejected`,
    ],
    'ocpi-object-refused': [
      'Object rejected by a roaming partner',
      (count) => `Objects rejected by ${count} roaming partners`,
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
  where: 'Location:',
  since: 'Since:',
  until: 'Until:',
  affected: (total) => (total > 1 ? `Affected (${total}):` : 'Affected:'),
  stillOffline: (count) => `Still offline: ${count}`,
  andMore: (count) => `and ${count} more`,
  digest: (count) => `${count} notifications`,
  more: (count) => `And ${count} more. The console lists all alerts.`,
  open: 'View alert',
  openAll: 'View all alerts',
  intro: {
    raised: 'A new alert needs your attention.',
    escalated: 'This alert has not been acknowledged yet.',
    cleared: 'This alert is resolved. No action is needed.',
    several: 'Several alerts have changed.',
  },
  flappingNote:
    'Unstable: the condition has ended and returned several times within an hour. You receive no further e-mails about it until it is stable.',
  acknowledge: 'Open the console to see the details and to acknowledge alerts.',
  reason: (network) => `You receive this e-mail because this address is a recipient of alerts of ${network}.`,
  mute: 'Mute alerts',
  rule: 'Change recipients and thresholds',
};
