export const localList = {
  title: 'Local authorization list',
  version: 'Version',
  sentAt: 'Sent',
  entries: 'Tokens',
  token: 'Token',
  stateSent: 'State sent',
  neverSent: 'No list was sent to this charger.',
  empty: 'The list is empty.',
  push: {
    open: 'Send the list…',
    title: 'Send the local list to {{charger}}',
    detail: 'The list of the charger is replaced with all tokens of the network that are allowed in lists.',
    action: 'Send the list',
    sending: 'Sending…',
    done: 'The charger accepted the list.',
  },
  clear: {
    open: 'Empty the list…',
    title: 'Empty the local list of {{charger}}',
    detail: 'The charger then accepts no token while it is offline.',
    action: 'Empty the list',
  },
} as const;
