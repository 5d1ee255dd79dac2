/**
 * A synchroniser of ORD, as the NHS find-the-right-service programme and the demonstrator of the
 * national service have it: the links of a day's changes, then each record, then names of its roles.
 */
import { ordLinks, ordRecord, ordRoles } from './ord-payloads.ts';

export interface SyncedOrganisation {
  readonly code: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly phone: string | undefined;
  readonly kind: string | undefined;
}

/** All organisations that changed on or after the date. `base` ends with the version of ORD. */
export async function syncSince(base: string, date: string): Promise<SyncedOrganisation[]> {
  const response = await get(`${base}/sync?LastChangeDate=${date}`);
  const { Organisations } = ordLinks.parse(await response.json());
  if (Number(response.headers.get('X-Total-Count')) !== Organisations.length) {
    throw new Error('the total is not the number of links');
  }
  const roleNames = new Map<string, string>();
  const synced: SyncedOrganisation[] = [];
  for (const { OrgLink } of Organisations) {
    const { Organisation } = ordRecord.parse(await (await get(OrgLink)).json());
    const { Name, OrgId, Status, Roles, Contacts } = Organisation;
    const primary = Roles.Role.find(({ primaryRole }) => primaryRole)?.id ?? '';
    if (!roleNames.has(primary)) roleNames.set(primary, await roleName(base, primary));
    synced.push({
      code: OrgId.extension,
      name: Name,
      isActive: Status === 'Active',
      phone: Contacts?.Contact.find(({ type }) => type === 'tel')?.value,
      kind: roleNames.get(primary),
    });
  }
  return synced;
}

/** The demonstrator reads XML by its element names, and follows the links as they are. */
export async function syncNamesByXml(base: string, date: string): Promise<string[]> {
  const list = await (await get(`${base}/sync?LastChangeDate=${date}&_format=xml`)).text();
  const links = Array.from(list.matchAll(/<OrgLink>([^<]+)<\/OrgLink>/g), ([, link = '']) => link);
  const names: string[] = [];
  for (const link of links) {
    const record = await (await get(link)).text();
    names.push(/<Organisation [^>]*>.*?<Name>([^<]+)<\/Name>/s.exec(record)?.[1] ?? '');
  }
  return names;
}

async function roleName(base: string, id: string): Promise<string> {
  const { Roles } = ordRoles.parse(await (await get(`${base}/roles/${id}`)).json());
  return Roles[0]?.displayName ?? '';
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return response;
}
