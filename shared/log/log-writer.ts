import { BlockWriter, type LogWriterOptions } from './block-writer.ts';
import { RowLines } from './row-lines.ts';

/** Writes rows of a log as lines of JSON. */
export class LogWriter<Row extends readonly unknown[]> extends BlockWriter<RowLines> {
  constructor(options: LogWriterOptions) {
    super(options, () => new RowLines());
  }

  add(row: Row): void {
    const lines = this.begin();
    if (lines === null) return;
    lines.add(row);
    this.added();
  }
}
