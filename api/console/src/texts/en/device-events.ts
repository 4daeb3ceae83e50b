export const deviceEvents = {
  security: 'Security events',
  device: 'Device events',
  empty: 'No events were reported.',
  cleared: 'Cleared',
  columns: {
    time: 'Time',
    received: 'Received',
    type: 'Type',
    details: 'Details',
    component: 'Component',
    variable: 'Variable',
    value: 'Value',
    trigger: 'Trigger',
    cleared: 'State',
  },
} as const;
