/** A script in R or Python that turns a column of codes into names, 20 requests at a time. */
import { legacyBundle } from './legacy-payloads.ts';

const SYSTEM = 'https://fhir.nhs.uk/Id/ods-organization-code';

/** As many as such scripts open at once. */
const AT_ONCE = 20;

/** The names in the order of the codes; a code that nobody has gives undefined. */
export async function namesOf(
  directory: string,
  codes: readonly string[],
): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  for (let start = 0; start < codes.length; start += AT_ONCE) {
    const some = codes.slice(start, start + AT_ONCE);
    names.push(...(await Promise.all(some.map((code) => nameOf(directory, code)))));
  }
  return names;
}

/** The system goes as it is, slashes and colon unescaped, and the pipe as `%7C`. */
async function nameOf(directory: string, code: string): Promise<string | undefined> {
  const url = `${directory}/Organization?identifier=${SYSTEM}%7C${code}&_format=json`;
  const response = await fetch(url, { headers: { Accept: '*/*' } });
  if (response.status !== 200) throw new Error(`${code}: ${response.status}`);
  const { total, entry } = legacyBundle.parse(await response.json());
  if (total === '0') return undefined;
  return entry[0]?.resource.name;
}
