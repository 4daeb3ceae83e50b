export const audit = {
  label: 'Audit log of the charger',
  empty: 'Nobody has changed or commanded this charger yet.',
  itself: 'chargeway itself',
  details: 'Details',
  copyJson: 'Copy JSON',
  category: {
    label: 'Kind of entry',
    all: 'Changes and commands',
    charger: 'Changes',
    command: 'Commands',
  },
  column: {
    time: 'Time',
    action: 'Action',
    actor: 'By',
    description: 'Description',
    object: 'Object',
    ip: 'IP address',
    field: 'Field',
    before: 'Before',
    after: 'After',
  },
} as const;
