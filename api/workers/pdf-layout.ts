import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PdfDocument from 'pdfkit';
import { readingOrder, runsLeft } from './reading-order.ts';

/** Points: 1/72 inch. */
const margin = 48;
const footerHeight = 36;
const bottom = 841.89 - margin - footerHeight;

export const ink = { text: '#1f2937', muted: '#6b7280', line: '#d1d5db', shade: '#f3f4f6' } as const;

/** DejaVu Sans: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters, embedded as far as they are used. */
const font = (name: string) =>
  readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));
const fonts = { regular: font('DejaVuSans'), bold: font('DejaVuSans-Bold') };

/** Style of text. */
export interface Style {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
}

/** A cell of a row; columns follow one another from the left margin. */
export interface Cell extends Style {
  text: string;
  width: number;
}

/** Metadata of a PDF. */
export interface PdfInfo {
  title: string;
  author: string;
  language: string;
  createdAt: Date;
}

/** A method of pdfkit that its types lack. */
interface ImageOpener {
  openImage(source: Buffer): { width: number; height: number };
}

const rowPadding = 4;

/** A4 pages that are filled from the top. */
export class PdfLayout {
  readonly width = 595.28 - 2 * margin;
  readonly left = margin;
  /** Vertical position of the next element. */
  y = margin;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #bytes: Promise<Uint8Array>;
  #atTop: () => void = () => undefined;

  constructor({ title, author, language, createdAt }: PdfInfo) {
    this.#pdf = new PdfDocument({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: 0 },
      bufferPages: true,
      pdfVersion: '1.7',
      lang: language,
      displayTitle: true,
      // None to begin with: reading a font takes most of the time that a page takes.
      font: '',
      info: { Title: title, Author: author, CreationDate: createdAt, ModDate: createdAt },
    });
    this.#pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
    const chunks: Buffer[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.#pdf.on('end', () => resolve(Buffer.concat(chunks)));
    this.#pdf.on('error', reject);
    this.#bytes = promise;
  }

  /** Sets text at a place; answers its height. It moves nothing. */
  put(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const height = this.#heightOf(text, width, style);
    const { color = ink.text, align = 'left' } = style;
    this.#pdf.fillColor(color);
    if (!runsLeft(text)) this.#pdf.text(text, x, y, { width, align });
    else
      for (const [index, line] of this.#linesOf(text, width).entries())
        this.#putInOrder(line, x, y + index * this.#pdf.currentLineHeight(true), width, align);
    return height;
  }

  /** Draws an image (PNG, JPEG) in a box, in its proportions. Returns its height: 0 where it cannot be decoded. */
  image(bytes: Uint8Array, x: number, y: number, box: { width: number; height: number }): number {
    try {
      const source = Buffer.from(bytes);
      const { width, height } = (this.#pdf as unknown as ImageOpener).openImage(source);
      const scale = Math.min(box.width / width, box.height / height);
      this.#pdf.image(source, x, y, { width: width * scale, height: height * scale });
      return height * scale;
    } catch {
      return 0;
    }
  }

  /** A rectangle without a border. */
  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.#pdf.rect(x, y, width, height).fill(color);
  }

  /** A line over the whole width, where what comes next begins. */
  rule(color: string = ink.line, from = 0): void {
    const { left, width, y } = this;
    this.#pdf
      .moveTo(left + from, y)
      .lineTo(left + width, y)
      .lineWidth(0.75)
      .strokeColor(color)
      .stroke();
  }

  /** A row of cells, on the next page if it does not fit on this one. */
  row(cells: readonly Cell[], options: { shade?: string; x?: number; padding?: number } = {}): void {
    const height = Math.max(...cells.map((cell) => this.#heightOf(cell.text, cell.width - 8, cell)));
    let { x = this.left } = options;
    const { padding = rowPadding } = options;
    const full = height + 2 * padding;
    this.room(full);
    if (options.shade !== undefined) this.fill(x, this.y, this.width - (x - this.left), full, options.shade);
    for (const cell of cells) {
      this.put(cell.text, x + 4, this.y + padding, cell.width - 8, cell);
      x += cell.width;
    }
    this.y += full;
  }

  /** Width of the block of sums at the right. */
  readonly sumWidth = 340;

  /** A sum at the right: its text, and its amount. */
  sum(text: string, amount: string, style: Partial<Cell> = {}): void {
    const cells = [
      { ...style, text, width: this.sumWidth - 110, align: 'right' as const },
      { ...style, text: amount, width: 110, align: 'right' as const },
    ];
    this.row(cells, { x: this.left + this.width - this.sumWidth });
  }

  /** Begins a new page unless so much is left of this one. */
  room(height: number): void {
    if (this.y + height <= bottom) return;
    this.#pdf.addPage();
    this.y = margin;
    this.#atTop();
  }

  /** Sets the drawing at the top of each new page from now on, such as the head of a table. */
  atTop(draw: () => void): void {
    this.#atTop = draw;
  }

  /** The pages as bytes, each with a line at its foot. */
  async finish(foot: (page: number, pages: number) => { left: string; right: string }): Promise<Uint8Array> {
    const { count } = this.#pdf.bufferedPageRange();
    const y = bottom + footerHeight - 12;
    for (let page = 0; page < count; page += 1) {
      this.#pdf.switchToPage(page);
      const { left, right } = foot(page + 1, count);
      const style = { size: 7, color: ink.muted };
      this.put(left, this.left, y, this.width - 80, style);
      this.put(right, this.left + this.width - 70, y, 70, { ...style, align: 'right' });
    }
    this.#pdf.end();
    return this.#bytes;
  }

  #heightOf(text: string, width: number, { size = 9, bold = false }: Style): number {
    this.#pdf.font(bold ? 'bold' : 'regular').fontSize(size);
    if (!runsLeft(text)) return this.#pdf.heightOfString(text, { width });
    return this.#linesOf(text, width).length * this.#pdf.currentLineHeight(true);
  }

  /** Lines that fit: pdfkit sets one line after another, but none whose letters run to the left. */
  #linesOf(text: string, width: number): string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = [];
      for (const word of paragraph.split(' ').flatMap((long) => this.#piecesOf(long, width))) {
        const line = lines.at(-1);
        const longer = line === undefined ? word : `${line} ${word}`;
        const fits = line !== undefined && this.#pdf.widthOfString(longer) <= width;
        lines.splice(fits ? -1 : lines.length, fits ? 1 : 0, fits ? longer : word);
      }
      return lines;
    });
  }

  #piecesOf(word: string, width: number): string[] {
    if (word.length < 2 || this.#pdf.widthOfString(word) <= width) return [word];
    const middle = Math.ceil(word.length / 2);
    return [word.slice(0, middle), word.slice(middle)].flatMap((half) => this.#piecesOf(half, width));
  }

  /** One line, part by part. */
  #putInOrder(line: string, x: number, y: number, width: number, align: Style['align']): void {
    const parts = readingOrder(line).map((text) => ({ text, width: this.#pdf.widthOfString(text) }));
    const rest = width - parts.reduce((sum, part) => sum + part.width, 0);
    let at = align === 'right' ? x + rest : x;
    for (const part of parts) {
      this.#pdf.text(part.text, at, y, { lineBreak: false });
      at += part.width;
    }
  }
}
