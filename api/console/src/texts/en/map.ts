export const map = {
  title: 'Map',
  label: 'Map of the chargers',
  legend: 'States',
  cluster: 'Group of locations',
  chargers_one: '{{number}} charger',
  chargers_other: '{{number}} chargers',
  shown_one: '{{number}} charger in this part of the map',
  shown_other: '{{number}} chargers in this part of the map',
  withoutLocation: '{{number}} without a location',
} as const;
