/** What the official XML schema of DSTU2 says of documents; xmllint judges. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import { ROOT } from '../tidy/source-files.ts';

export async function schemaErrors(documents: readonly string[]): Promise<string[]> {
  const file = (fileName: string) => ({
    fileName,
    contents: readFileSync(join(ROOT, 'test/schemas/dstu2', fileName), 'utf8'),
  });
  const { errors } = await validateXML({
    xml: documents.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: [file('fhir-single.xsd')],
    preload: [file('fhir-xhtml.xsd'), file('xml.xsd')],
    // The schemas do not fit in the 16 MiB that xmllint-wasm would have.
    initialMemoryPages: 1024,
    maxMemoryPages: 8192,
  });
  return errors.map((error) => error.rawMessage);
}
