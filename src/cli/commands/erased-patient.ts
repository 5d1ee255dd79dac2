/** The subscriptions that name the patient of an erased order response, and the output of `gazetteer orders erase`. */
import { namesPatient, patientNamesIn } from '../../orders/order-response/patient-subscriptions.ts';
import { SUBSCRIPTION } from '../../orders/subscriptions/subscription.ts';
import type { ContentName, ErasedContent } from '../../storage/sql/erasure.ts';
import type { Store } from '../../storage/store/store.ts';

type Texts = Pick<Store, 'storedTexts'>;

/**
 * The subscriptions whose criteria name the patient of the versions that will be erased. If the
 * current version of a subscription names the patient, all its versions; otherwise, only the
 * versions that do.
 */
export async function subscriptionsAbout(
  store: Texts,
  { version, ...name }: ContentName,
): Promise<readonly ContentName[]> {
  const names = new Set<string>();
  for await (const stored of store.storedTexts(name)) {
    if (stored.type === SUBSCRIPTION) continue;
    if (version !== undefined && stored.version !== version) continue;
    for (const each of patientNamesIn(stored.text)) names.add(each);
  }
  if (names.size === 0) return [];
  const found: (ContentName & { readonly isCurrent: boolean })[] = [];
  for await (const { type, id, version, isCurrent, text } of store.storedTexts(SUBSCRIPTIONS)) {
    if (namesPatient(text, names)) found.push({ type, id, version, isCurrent });
  }
  const byId = Map.groupBy(found, ({ id }) => id);
  return [...byId].flatMap(([id, versions]) => {
    const isWhole = versions.some(({ isCurrent }) => isCurrent);
    return isWhole
      ? [{ type: SUBSCRIPTION, id }]
      : versions.map(({ version }) => ({ type: SUBSCRIPTION, id, version }));
  });
}

const SUBSCRIPTIONS = { type: SUBSCRIPTION };

/** The sentence that reports an erasure. */
export function erasedText(
  { version }: ContentName,
  { type, id, versions }: ErasedContent,
): string {
  const what = `${version === undefined ? '' : `version ${version} of `}${type}/${id}`;
  if (versions === 0) return `The content of ${what} was already erased.`;
  const count = `${versions} ${versions === 1 ? 'version' : 'versions'}`;
  return `Erased the content of ${what} (${count}).`;
}

/** The lines that list the commands that erase the subscriptions. `isBegun`: this one does it too. */
export function subscriptionsText(subscriptions: readonly ContentName[], isBegun: boolean): string {
  const commands = subscriptions.map(({ type, id, version }) => {
    const one = version === undefined ? '' : ` --version ${version}`;
    return `  gazetteer orders erase ${type}/${id}${one} --reason REASON\n`;
  });
  const when = isBegun ? 'If this command does not erase all of them' : 'To erase them too';
  return `The criteria of these subscriptions name the patient. ${when}:\n${commands.join('')}`;
}
