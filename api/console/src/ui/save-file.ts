/** Saves a file among the downloads of the browser. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
