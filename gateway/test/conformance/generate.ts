import { writeConformanceDocument } from './document.ts';

await writeConformanceDocument();
