/** Country and identifier of a party. */
interface Party {
  countryCode: string;
  partyId: string;
}

export const partyName = ({ countryCode, partyId }: Party): string => `${countryCode}-${partyId}`;

/** Returns the parties of a text such as `DE-EMS, FR-OTH`. Null: it cannot be read. */
export function partiesOf(text: string): Party[] | null {
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  const parties = names.map((name) => {
    const [, countryCode, partyId] = /^([A-Z]{2})[-*]?([A-Z0-9]{3})$/.exec(name.toUpperCase()) ?? [];
    return countryCode === undefined || partyId === undefined ? null : { countryCode, partyId };
  });
  return parties.some((party) => party === null) ? null : parties.filter((party) => party !== null);
}
