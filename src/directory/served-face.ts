/** A face as a server serves it: with settings and addresses. Its service and the pages share it. */

import { type RenderedEdition, renderEdition } from './answer/rendered-edition.ts';
import type { Edition } from './edition/edition.ts';
import { perEdition } from './edition/edition.ts';
import type { DirectoryFace } from './face.ts';
import type { DirectorySettings } from './settings.ts';

export interface ServedFace {
  readonly face: DirectoryFace;
  readonly settings: DirectorySettings;
  /** The public address of the server, without a slash at the end. */
  readonly serverUrl: string;
  /** The absolute address of the face, without a slash at the end. */
  readonly baseUrl: string;
  /** The same object for the same edition, for as long as the edition is in memory. */
  render(edition: Edition): RenderedEdition;
}

export interface ServedFaceOptions {
  readonly settings: DirectorySettings;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  /** Entity tags change with it. */
  readonly programVersion?: string;
}

export function serveFace(
  face: DirectoryFace,
  { settings, serverUrl, programVersion = '' }: ServedFaceOptions,
): ServedFace {
  const surroundings = `${serverUrl} ${programVersion}`;
  return {
    face,
    settings,
    serverUrl,
    baseUrl: serverUrl + face.pathOf(settings),
    render: perEdition((edition) => renderEdition(face, edition, settings, surroundings)),
  };
}
