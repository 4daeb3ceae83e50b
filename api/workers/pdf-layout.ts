import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PdfDocument from 'pdfkit';
import { breakableParts, lettersOf } from './line-breaks.ts';
import { readingOrder, runsLeft } from './reading-order.ts';
import {
  eastAsianFontOf,
  needsScriptFont,
  type ScriptFont,
  scriptFontFiles,
  scriptFontsOf,
} from './script-fonts.ts';

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
interface Style {
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
interface PdfInfo {
  title: string;
  author: string;
  language: string;
  createdAt: Date;
}

/** Members of pdfkit that its types lack. */
interface Untyped {
  openImage(source: Buffer): { width: number; height: number };
  /** The current font. */
  _font: { ascender: number; font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/** Letters of one font that stand next to each other. */
interface Run {
  text: string;
  font: string;
}

/** Fonts of a text. */
interface Face {
  size: number;
  weight: 'regular' | 'bold';
  eastAsian: ScriptFont;
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
  readonly #language: string;
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
    this.#language = language;
    this.#pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
    for (const { name, regular, bold } of scriptFontFiles) {
      this.#pdf.registerFont(`regular ${name}`, regular).registerFont(`bold ${name}`, bold);
    }
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
    if (isPlain(text)) this.#pdf.text(text, x, y, { width, align });
    else this.#putLines(text, x, y, width, style);
    return height;
  }

  /** Draws an image (PNG, JPEG) in a box, in its proportions. Returns its height: 0 where it cannot be decoded. */
  image(bytes: Uint8Array, x: number, y: number, box: { width: number; height: number }): number {
    try {
      const source = Buffer.from(bytes);
      const { width, height } = this.#untyped.openImage(source);
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
    // Their first lines stand on one baseline.
    const ascents = cells.map((cell) => this.#ascentOf(cell.text, cell));
    const tops = ascents.map((ascent) => Math.max(...ascents) - ascent);
    const bottoms = cells.map(
      (cell, index) => (tops[index] ?? 0) + this.#heightOf(cell.text, cell.width - 8, cell),
    );
    let { x = this.left } = options;
    const { padding = rowPadding } = options;
    const full = Math.max(...bottoms) + 2 * padding;
    this.room(full);
    if (options.shade !== undefined) this.fill(x, this.y, this.width - (x - this.left), full, options.shade);
    for (const [index, cell] of cells.entries()) {
      this.put(cell.text, x + 4, this.y + padding + (tops[index] ?? 0), cell.width - 8, cell);
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

  /** The pages as bytes, each with a line at its foot. A mark stands across each page. */
  async finish(
    foot: (page: number, pages: number) => { left: string; right: string },
    mark: string | null = null,
  ): Promise<Uint8Array> {
    const { count } = this.#pdf.bufferedPageRange();
    const y = bottom + footerHeight - 12;
    for (let page = 0; page < count; page += 1) {
      this.#pdf.switchToPage(page);
      const { left, right } = foot(page + 1, count);
      const style = { size: 7, color: ink.muted };
      this.put(left, this.left, y, this.width - 80, style);
      this.put(right, this.left + this.width - 70, y, 70, { ...style, align: 'right' });
      if (mark !== null) this.#putAcross(mark);
    }
    this.#pdf.end();
    return this.#bytes;
  }

  /** Sets a text over the page from its lower left, so that the page under it stays legible. */
  #putAcross(text: string): void {
    const { width, height } = this.#pdf.page;
    this.#pdf.save().rotate(-50, { origin: [width / 2, height / 2] });
    this.#pdf.font('bold').fontSize(46).fillColor(ink.text).fillOpacity(0.14);
    const length = this.#pdf.widthOfString(text);
    this.#pdf.text(text, (width - length) / 2, height / 2 - 23, { lineBreak: false });
    this.#pdf.restore();
  }

  get #untyped(): Untyped {
    return this.#pdf as unknown as Untyped;
  }

  #heightOf(text: string, width: number, style: Style): number {
    const face = this.#faceOf(text, style);
    this.#pdf.font(face.weight).fontSize(face.size);
    if (isPlain(text)) return this.#pdf.heightOfString(text, { width });
    return this.#linesOf(text, width, face).length * this.#lineOf(text, face).height;
  }

  #ascentOf(text: string, style: Style): number {
    const face = this.#faceOf(text, style);
    this.#pdf.fontSize(face.size);
    return this.#lineOf(text, face).ascent;
  }

  #faceOf(text: string, { size = 9, bold = false }: Style): Face {
    return { size, weight: bold ? 'bold' : 'regular', eastAsian: eastAsianFontOf(text, this.#language) };
  }

  /** Height of a line with the letters of a text, and the part of it above the baseline: fonts differ. */
  #lineOf(text: string, face: Face): { height: number; ascent: number } {
    const fonts = new Set([face.weight, ...this.#runsOf(text, face).map(({ font }) => font)]);
    const lines = [...fonts].map((font) => {
      const height = this.#pdf.font(font).currentLineHeight(true);
      const ascent = (this.#untyped._font.ascender / 1000) * face.size;
      return { ascent, descent: height - ascent };
    });
    const ascent = Math.max(...lines.map((line) => line.ascent));
    return { ascent, height: ascent + Math.max(...lines.map(({ descent }) => descent)) };
  }

  /** Divides a text by the fonts that have its letters. */
  #runsOf(text: string, { weight, eastAsian }: Face): Run[] {
    if (!needsScriptFont(text)) return [{ text, font: weight }];
    const runs: Run[] = [];
    for (const letter of lettersOf(text)) {
      const fonts = scriptFontsOf(letter, eastAsian).map((name) => `${weight} ${name}`);
      const font = fonts.find((name) => this.#has(name, letter)) ?? weight;
      const last = runs.at(-1);
      if (last?.font === font) last.text += letter;
      else runs.push({ text: letter, font });
    }
    return runs;
  }

  #has(font: string, letter: string): boolean {
    this.#pdf.font(font);
    const { font: opened } = this.#untyped._font;
    return Array.from(letter).every((character) =>
      opened.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
  }

  #widthOf(runs: readonly Run[]): number {
    return runs.reduce((sum, { text, font }) => sum + this.#pdf.font(font).widthOfString(text), 0);
  }

  #fits(text: string, width: number, face: Face): boolean {
    return this.#widthOf(this.#runsOf(text, face)) <= width;
  }

  /** Lines that fit: pdfkit sets one line after another, but none whose letters run to the left, or in several fonts. */
  #linesOf(text: string, width: number, face: Face): string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = [];
      for (const part of breakableParts(paragraph).flatMap((long) => this.#piecesOf(long, width, face))) {
        const longer = (lines.at(-1) ?? '') + part;
        const isContinued = lines.length > 0 && this.#fits(longer, width, face);
        lines.splice(isContinued ? -1 : lines.length, 1, isContinued ? longer : part.trimStart());
      }
      return lines;
    });
  }

  #piecesOf(word: string, width: number, face: Face): string[] {
    const letters = lettersOf(word);
    if (letters.length < 2 || this.#fits(word, width, face)) return [word];
    const middle = Math.ceil(letters.length / 2);
    return [letters.slice(0, middle), letters.slice(middle)].flatMap((half) =>
      this.#piecesOf(half.join(''), width, face),
    );
  }

  /** Sets lines part by part, in the order in which they are read. */
  #putLines(text: string, x: number, y: number, width: number, style: Style): void {
    const face = this.#faceOf(text, style);
    const { height, ascent } = this.#lineOf(text, face);
    for (const [index, line] of this.#linesOf(text, width, face).entries()) {
      const runs = readingOrder(line).flatMap((part) => this.#runsOf(part, face));
      let at = style.align === 'right' ? x + width - this.#widthOf(runs) : x;
      for (const run of runs) {
        this.#pdf
          .font(run.font)
          .text(run.text, at, y + index * height + ascent, { lineBreak: false, baseline: 'alphabetic' });
        at += this.#widthOf([run]);
      }
    }
  }
}

/** Returns whether pdfkit sets a text by itself: from left to right, in one font. */
function isPlain(text: string): boolean {
  return !runsLeft(text) && !needsScriptFont(text);
}
