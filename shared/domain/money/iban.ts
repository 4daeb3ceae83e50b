/** Returns an IBAN without spaces, in capitals. */
export function compactIban(text: string): string {
  return text.replaceAll(' ', '').toUpperCase();
}

/** Reports whether a text is an IBAN with valid check digits (ISO 13616, mod 97 of ISO 7064), with or without spaces. */
export function isIban(text: string): boolean {
  const iban = compactIban(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** Returns an IBAN in groups of four, as it is printed. */
export function printedIban(iban: string): string {
  return iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
