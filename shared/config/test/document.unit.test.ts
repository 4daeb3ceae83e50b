import t from 'tap';
import { documents, variableDocument } from '#shared/config/document.ts';
import { variables } from '#shared/config/variables/variables.ts';

void t.test('the documents list the variables as they are', async (t) => {
  for (const document of documents) {
    const { stored, present } = variableDocument(document);
    t.equal(stored, present, `${document}: npm run config:generate`);
  }
  const { present } = variableDocument('docs/configuration.md');
  for (const { name } of Object.values(variables)) t.match(present, `| \`${name}\` |`, name);
});

void t.test('README lists at most a dozen variables', async (t) => {
  t.ok(Object.values(variables).filter(({ isEssential }) => isEssential).length <= 13);
});
