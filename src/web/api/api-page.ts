/** The page about the API: samples of requests in several languages, and a description to try. */

import type { ServedFace } from '../../directory/answer/rendered-edition.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryFace } from '../../directory/face.ts';
import type { PlainService, Service } from '../../fhir/service/interaction.ts';
import type { Addresses } from '../addresses.ts';

export function apiPage(
  edition: Edition | undefined,
  face: DirectoryFace,
  addresses: Addresses,
  hasOrders: boolean,
): object {
  const code = exampleCode(edition);
  return {
    title: 'API',
    fhir: addresses.fhir,
    hasOrders,
    openApi: addresses.openApi,
    example: addresses.record(code),
    samples: samplesOf(addresses.fhir, code, face),
  };
}

/** The organisation that the national guides use, or the first one if the edition lacks it. */
function exampleCode(edition: Edition | undefined): string {
  if (edition === undefined || edition.index.rowOf(GUIDE_CODE) !== undefined) return GUIDE_CODE;
  return edition.index.count === 0 ? GUIDE_CODE : edition.index.codeOf(0);
}

const GUIDE_CODE = 'RTG';

interface ApiSample {
  readonly id: string;
  readonly language: string;
  readonly text: string;
}

/** `fhir` is the base of the service; `code` is the code of an organisation. */
function samplesOf(fhir: string, code: string, face: DirectoryFace): readonly ApiSample[] {
  const { version, hapiContext } = face;
  return [
    { id: 'curl', language: 'curl', text: curlSample(fhir, code, version.mediaTypes.xml) },
    { id: 'javascript', language: 'JavaScript', text: javascriptSample(fhir, code) },
    { id: 'python', language: 'Python', text: pythonSample(fhir, code) },
    { id: 'java', language: 'Java (HAPI FHIR)', text: javaSample(fhir, code, hapiContext) },
    {
      id: 'csharp',
      language: `C# (Firely .NET SDK for ${version.name})`,
      text: csharpSample(fhir, code),
    },
  ];
}

function curlSample(fhir: string, code: string, xmlType: string): string {
  return `# One organisation
curl '${fhir}/Organization/${code}'

# Active organisations in Leeds, as XML
curl -H 'Accept: ${xmlType}' \\
  '${fhir}/Organization?address-city=Leeds&active=true'`;
}

function javascriptSample(fhir: string, code: string): string {
  return `const base = '${fhir}';

const response = await fetch(\`\${base}/Organization/${code}\`);
const organization = await response.json();
console.log(organization.name);

const query = new URLSearchParams({ 'name:contains': 'surgery', active: 'true' });
const bundle = await (await fetch(\`\${base}/Organization?\${query}\`)).json();
for (const { resource } of bundle.entry ?? []) console.log(resource.id, resource.name);`;
}

function pythonSample(fhir: string, code: string): string {
  return `import requests

base = "${fhir}"

organization = requests.get(f"{base}/Organization/${code}", timeout=10).json()
print(organization["name"])

query = {"name:contains": "surgery", "active": "true"}
bundle = requests.get(f"{base}/Organization", params=query, timeout=10).json()
for entry in bundle.get("entry", []):
    print(entry["resource"]["id"], entry["resource"]["name"])`;
}

function javaSample(fhir: string, code: string, hapiContext: string): string {
  return `FhirContext context = FhirContext.${hapiContext}();
IGenericClient client = context.newRestfulGenericClient("${fhir}");

Organization organization =
    client.read().resource(Organization.class).withId("${code}").execute();
System.out.println(organization.getName());

Bundle bundle = client.search().forResource(Organization.class)
    .where(Organization.NAME.contains().value("surgery"))
    .and(Organization.ACTIVE.exactly().code("true"))
    .returnBundle(Bundle.class).execute();
bundle.getEntry().forEach(entry ->
    System.out.println(((Organization) entry.getResource()).getName()));`;
}

function csharpSample(fhir: string, code: string): string {
  return `using Hl7.Fhir.Model;
using Hl7.Fhir.Rest;

var client = new FhirClient("${fhir}");

var organization = await client.ReadAsync<Organization>("Organization/${code}");
Console.WriteLine(organization.Name);

var query = new SearchParams()
    .Where("name:contains=surgery")
    .Where("active=true");
var bundle = await client.SearchAsync<Organization>(query);
foreach (var entry in bundle.Entry)
    Console.WriteLine(((Organization)entry.Resource).Name);`;
}

/** An interface of the directory, as the page about the API lists it. */
export interface DirectoryInterface extends Pick<Service, 'name' | 'description' | 'baseUrl'> {
  /** The description of its services for programs, if it has one. */
  readonly metadataUrl?: string;
}

export function interfaceOf({ face, baseUrl }: ServedFace): DirectoryInterface {
  return {
    name: face.title,
    description: face.description,
    baseUrl,
    metadataUrl: `${baseUrl}/metadata`,
  };
}

export function plainInterfaceOf({
  title,
  description,
  baseUrl,
}: PlainService): DirectoryInterface {
  return { name: title, description, baseUrl };
}
