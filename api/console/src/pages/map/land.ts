import type { FeatureCollection } from 'geojson';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';

/** Loads the countries of the built-in map (Natural Earth, public domain), a file of this origin. */
export async function loadCountries(): Promise<FeatureCollection> {
  const response = await fetch(countriesUrl);
  const topology = (await response.json()) as Topology;
  const { countries } = topology.objects;
  if (countries === undefined) throw new Error('the map has no countries');
  return feature(topology, countries) as FeatureCollection;
}
