/** What people see at the base of an interface. */
import type { Addresses } from './addresses.ts';
import type { Problem } from './problems.ts';
import type { DirectoryInterface } from './web-options.ts';

/** The base of an interface: programs get an error there, and people an explanation. */
export function baseOf(
  { name, description, baseUrl, metadataUrl, sample }: DirectoryInterface,
  { api, documents }: Pick<Addresses, 'api' | 'documents'>,
): Problem {
  const reference = sample?.name === 'R4' ? 'r4-api' : 'directory-api';
  return {
    status: 404,
    title: name,
    paragraphs: [
      description,
      'This is the address of an interface for programs. There is nothing to read at the address itself.',
    ],
    link: { before: 'To use it, see the', text: 'page about the API', href: api },
    ...(sample !== undefined && {
      links: [
        { text: 'A search to try', href: `${baseUrl}/Organization?name:contains=leeds` },
        { text: 'What it offers: the capability statement', href: metadataUrl ?? '' },
        { text: 'Its reference', href: `${documents}/reference/${reference}` },
      ],
    }),
  };
}
