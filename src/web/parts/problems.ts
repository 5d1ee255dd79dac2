/** The problem pages: what went wrong, and what people can do about it. */

import { shownText } from '../../fhir/request/unknown-name.ts';
import type { Addresses } from './addresses.ts';
import type { DirectoryInterface } from './directory-interfaces.ts';
import type { RelatedOrganization } from './related-organization.ts';

export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** A command for the operator. */
  readonly command?: string;
  /** The page has no search box, because a search would not succeed. */
  readonly hidesSearch?: true;
  /** The organisations that replaced one that has no page. */
  readonly successors?: readonly RelatedOrganization[];
  /** A link to another page, after some words. */
  readonly link?: { readonly before: string; readonly text: string; readonly href: string };
  /** Further links, each with its own words. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
  /** Each name is followed by its value. */
  readonly headers?: readonly string[];
}

export const NO_PAGE: Problem = {
  status: 404,
  title: 'Page not found',
  paragraphs: [
    'If you typed the address, check that it is correct.',
    'If you followed a link, the page may have moved.',
  ],
};

/** `nearest`: a path that the visitor may have meant. */
export function noPageAt(
  path: string,
  nearest: string | undefined,
  { api }: { readonly api: string },
): Problem {
  const link =
    nearest === undefined
      ? {
          before: 'For the list of addresses for programs, see the',
          text: 'page about the API',
          href: api,
        }
      : { before: 'Did you mean', text: nearest, href: nearest };
  const unknown = `Unknown path "${shownText(path)}".`;
  return { ...NO_PAGE, paragraphs: [unknown, ...NO_PAGE.paragraphs], link };
}

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

export const NO_EDITION: Problem = {
  status: 503,
  title: 'There is nothing to look up yet',
  paragraphs: [
    'The directory has no edition yet. The operator of this service needs to import a release file:',
  ],
  command: 'gazetteer import FILE',
  hidesSearch: true,
  headers: ['Retry-After', '5'],
};

/** `known`: what the directory still knows about the code. */
export function noOrganization(code: string, known: readonly string[]): Problem {
  return {
    status: 404,
    title: `No organisation has the code ${code}`,
    paragraphs:
      known.length === 0
        ? ['Check the code. Some letters and numbers look alike, such as O and 0.']
        : known,
  };
}

/** A method that the address does not have. `allowed`: those that it has. */
export function wrongMethod(allowed: readonly string[]): Problem {
  const headers = ['Allow', allowed.join(', ')];
  if (!allowed.includes('GET')) {
    return {
      status: 405,
      title: 'There is nothing to read at this address',
      paragraphs: ['It only takes what a form on another page sends.'],
      headers,
    };
  }
  return {
    status: 405,
    title: 'You can only read this page',
    paragraphs: ['This page does not accept data in this way.'],
    headers,
  };
}

export const BAD_ADDRESS: Problem = {
  status: 400,
  title: 'The address is not correct',
  paragraphs: ['The address has a % that is not followed by two digits or letters from A to F.'],
};

export function badRequest(reason: string): Problem {
  return {
    status: 400,
    title: 'The request is not correct',
    paragraphs: [reason],
  };
}

export function faultProblem(id: string): Problem {
  return {
    status: 500,
    title: 'Sorry, there is a problem with the service',
    paragraphs: [
      'Try again later.',
      `If the problem continues, give the operator of the service this number: ${id}`,
    ],
    hidesSearch: true,
  };
}

export function tooManyRequests(retryAfter: string): Problem {
  return {
    status: 429,
    title: 'Too many requests',
    paragraphs: [
      'More requests came from your network than the service allows at a time.',
      `Wait ${retryAfter === '1' ? 'a second' : `${retryAfter} seconds`}, then load this page again.`,
    ],
    hidesSearch: true,
  };
}

export const BUSY: Problem = {
  status: 503,
  title: 'The service is busy',
  paragraphs: ['Wait a few seconds, then load this page again.'],
  hidesSearch: true,
};
