import { writeFileSync } from 'node:fs';
import { documents, variableDocument } from './document.ts';

for (const document of documents) writeFileSync(document, variableDocument(document).present);
