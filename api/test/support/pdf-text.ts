import { getDocumentProxy } from 'unpdf';

/** Contents of a PDF: its text by page, and its metadata. */
export interface ReadPdf {
  pages: string[];
  text: string;
  info: { Title?: string; Author?: string; Language?: string };
}

/** Reads a PDF with a library that shares no code with the one that draws ours. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : ' ') : '')).join(''));
  }
  const { info } = await document.getMetadata();
  await document.destroy();
  // Non-breaking spaces read as spaces.
  const plain = pages.map((page) => page.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/ +/g, ' '));
  return { pages: plain, text: plain.join('\n'), info };
}
