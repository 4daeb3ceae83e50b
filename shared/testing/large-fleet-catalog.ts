/** City of the large fleet. */
interface City {
  name: string;
  /** ISO 3166-1 alpha-3. */
  country: string;
  latitude: number;
  longitude: number;
  timeZone: string;
}

function citiesOf(country: string, timeZone: string, rows: readonly [string, number, number][]): City[] {
  return rows.map(([name, latitude, longitude]) => ({ name, country, latitude, longitude, timeZone }));
}

/** Cities in which the large fleet stands. */
export const fleetCities: readonly City[] = [
  ...citiesOf('NLD', 'Europe/Amsterdam', [
    ['Amsterdam', 52.3728, 4.8936],
    ['Rotterdam', 51.9225, 4.4792],
    ['Den Haag', 52.08, 4.31],
    ['Utrecht', 52.0907, 5.1214],
    ['Eindhoven', 51.4416, 5.4697],
    ['Groningen', 53.2194, 6.5665],
    ['Tilburg', 51.5555, 5.0913],
    ['Almere', 52.3508, 5.2647],
    ['Breda', 51.5719, 4.7683],
    ['Nijmegen', 51.8126, 5.8372],
    ['Arnhem', 51.9851, 5.8987],
    ['Zwolle', 52.5168, 6.083],
    ['Maastricht', 50.8514, 5.691],
    ['Leeuwarden', 53.2012, 5.7999],
  ]),
  ...citiesOf('BEL', 'Europe/Brussels', [
    ['Brussel', 50.8503, 4.3517],
    ['Antwerpen', 51.2194, 4.4025],
    ['Gent', 51.0543, 3.7174],
    ['Liège', 50.6326, 5.5797],
    ['Brugge', 51.2093, 3.2247],
    ['Namur', 50.4674, 4.8718],
    ['Leuven', 50.8798, 4.7005],
  ]),
  ...citiesOf('DEU', 'Europe/Berlin', [
    ['Berlin', 52.52, 13.405],
    ['Hamburg', 53.5511, 9.9937],
    ['München', 48.1351, 11.582],
    ['Köln', 50.9375, 6.9603],
    ['Frankfurt', 50.1109, 8.6821],
    ['Stuttgart', 48.7758, 9.1829],
    ['Düsseldorf', 51.2277, 6.7735],
    ['Leipzig', 51.3397, 12.3731],
    ['Dortmund', 51.5136, 7.4653],
    ['Bremen', 53.0793, 8.8017],
    ['Dresden', 51.0504, 13.7373],
    ['Hannover', 52.3759, 9.732],
    ['Nürnberg', 49.4521, 11.0767],
  ]),
  ...citiesOf('FRA', 'Europe/Paris', [
    ['Paris', 48.8566, 2.3522],
    ['Marseille', 43.2965, 5.3698],
    ['Lyon', 45.764, 4.8357],
    ['Toulouse', 43.6047, 1.4442],
    ['Nice', 43.7102, 7.262],
    ['Nantes', 47.2184, -1.5536],
    ['Strasbourg', 48.5734, 7.7521],
    ['Bordeaux', 44.8378, -0.5792],
    ['Lille', 50.6292, 3.0573],
    ['Rennes', 48.1173, -1.6778],
  ]),
  ...citiesOf('SWE', 'Europe/Stockholm', [
    ['Stockholm', 59.3293, 18.0686],
    ['Göteborg', 57.7089, 11.9746],
    ['Malmö', 55.605, 13.0038],
    ['Uppsala', 59.8586, 17.6389],
    ['Linköping', 58.4108, 15.6214],
    ['Umeå', 63.8258, 20.263],
  ]),
];

/** Model of the large fleet. The names are invented. */
interface FleetModel {
  manufacturer: string;
  name: string;
  ocppVersion: '1.6' | '2.0.1';
  maxPowerW: number;
  connectors: number;
  /** Firmware versions, most installed first. */
  firmware: readonly string[];
}

/** Models of the large fleet, a twelfth of the chargers each. */
export const fleetModels: readonly FleetModel[] = [
  model('Noordster', 'Post 22', '1.6', 22_000, 2, ['4.2.1', '4.1.0', '3.9.7']),
  model('Noordster', 'Post 22 S', '2.0.1', 22_000, 2, ['5.0.3', '5.0.1', '4.9.0']),
  model('Harbour Electric', 'Quay 11', '1.6', 11_000, 1, ['1.4.2', '1.4.0', '1.2.9']),
  model('Harbour Electric', 'Quay 22 Duo', '2.0.1', 22_000, 2, ['2.1.0', '2.0.4', '1.9.9']),
  model('Lumen Power', 'L-50 DC', '1.6', 50_000, 2, ['R7.3', 'R7.1', 'R6.8']),
  model('Lumen Power', 'L-150 DC', '2.0.1', 150_000, 3, ['R9.2', 'R9.1', 'R8.0']),
  model('Kestrel', 'K1', '1.6', 7400, 1, ['0.9.14', '0.9.12', '0.9.3']),
  model('Kestrel', 'K2 Hub', '2.0.1', 300_000, 4, ['1.10.0', '1.9.4', '1.8.2']),
  model('Baltic Charge', 'BC-22', '1.6', 22_000, 2, ['2023.11', '2023.06', '2022.12']),
  model('Baltic Charge', 'BC-180', '2.0.1', 180_000, 2, ['2026.04', '2025.12', '2025.09']),
  model('Meridian', 'Wall 11', '1.6', 11_000, 1, ['3.0.0', '2.8.1', '2.7.7']),
  model('Meridian', 'Plaza 350', '2.0.1', 350_000, 4, ['7.4.4', '7.4.1', '7.2.0']),
];

function model(
  manufacturer: string,
  name: string,
  ocppVersion: FleetModel['ocppVersion'],
  maxPowerW: number,
  connectors: number,
  firmware: readonly string[],
): FleetModel {
  return { manufacturer, name, ocppVersion, maxPowerW, connectors, firmware };
}
