/** The page about the API: samples in the languages of its clients, and a description to try. */
import type { Edition } from '../directory/edition.ts';
import type { DirectoryFace } from '../directory/face.ts';
import type { Addresses } from './addresses.ts';

export function apiPage(
  edition: Edition | undefined,
  face: DirectoryFace,
  addresses: Addresses,
  hasOrders: boolean,
): object {
  const code = exampleCode(edition);
  return {
    title: 'API',
    version: face.version.name,
    fhir: addresses.fhir,
    hasOrders,
    openApi: addresses.openApi,
    example: addresses.record(code),
    samples: samplesOf(addresses.fhir, code, face),
  };
}

/** The organisation of the national guides where there is it, else one that there is. */
function exampleCode(edition: Edition | undefined): string {
  if (edition === undefined || edition.index.rowOf(GUIDE_CODE) !== undefined) return GUIDE_CODE;
  return edition.index.count === 0 ? GUIDE_CODE : edition.index.codeOf(0);
}

const GUIDE_CODE = 'RTG';

interface Sample {
  readonly id: string;
  readonly language: string;
  readonly text: string;
}

function samplesOf(fhir: string, code: string, { version, hapiContext }: DirectoryFace): Sample[] {
  return [
    {
      id: 'curl',
      language: 'curl',
      text: `# One organisation
curl '${fhir}/Organization/${code}'

# Active organisations in Leeds, as XML
curl -H 'Accept: ${version.mediaTypes.xml}' \\
  '${fhir}/Organization?address-city=Leeds&active=true'`,
    },
    {
      id: 'javascript',
      language: 'JavaScript',
      text: `const base = '${fhir}';

const response = await fetch(\`\${base}/Organization/${code}\`);
const organization = await response.json();
console.log(organization.name);

const query = new URLSearchParams({ 'name:contains': 'surgery', active: 'true' });
const bundle = await (await fetch(\`\${base}/Organization?\${query}\`)).json();
for (const { resource } of bundle.entry ?? []) console.log(resource.id, resource.name);`,
    },
    {
      id: 'python',
      language: 'Python',
      text: `import requests

base = "${fhir}"

organization = requests.get(f"{base}/Organization/${code}", timeout=10).json()
print(organization["name"])

query = {"name:contains": "surgery", "active": "true"}
bundle = requests.get(f"{base}/Organization", params=query, timeout=10).json()
for entry in bundle.get("entry", []):
    print(entry["resource"]["id"], entry["resource"]["name"])`,
    },
    {
      id: 'java',
      language: 'Java (HAPI FHIR)',
      text: `FhirContext context = FhirContext.${hapiContext}();
IGenericClient client = context.newRestfulGenericClient("${fhir}");

Organization organization =
    client.read().resource(Organization.class).withId("${code}").execute();
System.out.println(organization.getName());

Bundle bundle = client.search().forResource(Organization.class)
    .where(Organization.NAME.contains().value("surgery"))
    .and(Organization.ACTIVE.exactly().code("true"))
    .returnBundle(Bundle.class).execute();
bundle.getEntry().forEach(entry ->
    System.out.println(((Organization) entry.getResource()).getName()));`,
    },
    {
      id: 'csharp',
      language: `C# (Firely .NET SDK for ${version.name})`,
      text: `using Hl7.Fhir.Model;
using Hl7.Fhir.Rest;

var client = new FhirClient("${fhir}");

var organization = await client.ReadAsync<Organization>("Organization/${code}");
Console.WriteLine(organization.Name);

var query = new SearchParams()
    .Where("name:contains=surgery")
    .Where("active=true");
var bundle = await client.SearchAsync<Organization>(query);
foreach (var entry in bundle.Entry)
    Console.WriteLine(((Organization)entry.Resource).Name);`,
    },
  ];
}
