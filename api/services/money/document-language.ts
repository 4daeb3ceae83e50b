/** Languages that receipts and invoices are written in. */
export const documentLanguages = ['en', 'nl', 'de', 'fr', 'es', 'sv'] as const;
export type DocumentLanguage = (typeof documentLanguages)[number];

/**
 * Returns the tag (BCP 47) of the language that a document is written in: the wanted one, English where documents are not
 * written in it. Dates and numbers follow its region: its own, else that of the network's language, else the seller's country.
 */
export function documentTag(wanted: string, network: { language: string; country: string | null }): string {
  const tag = languageOf(wanted) === wanted.split('-')[0] ? wanted : 'en';
  if (regionOf(tag) !== null) return tag;
  const region = regionOf(network.language) ?? network.country;
  return region === null ? tag : `${tag}-${region}`;
}

/** Returns the language of a tag, English where documents are not written in it. */
export function languageOf(tag: string): DocumentLanguage {
  const [language = ''] = tag.split('-');
  return documentLanguages.find((known) => known === language) ?? 'en';
}

function regionOf(tag: string): string | null {
  try {
    return new Intl.Locale(tag).region ?? null;
  } catch {
    return null;
  }
}
