import { writeEventDocument } from './document.ts';

await writeEventDocument();
