/** The page about the API: samples for several languages, and a description to try. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryFace } from '../../directory/face.ts';
import type { Addresses } from '../addresses.ts';
import { samplesOf } from './api-samples.ts';

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
