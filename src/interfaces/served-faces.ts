/** The faces that the program serves. The first one is the one that pages and exports use. */
import type { DirectoryFace } from './faces/face.ts';
import { R4_FACE } from './r4/face.ts';
import { LEGACY_STU3_FACE, STU3_FACE } from './stu3/face.ts';

export const DIRECTORY_FACES: readonly [DirectoryFace, ...DirectoryFace[]] = [
  STU3_FACE,
  LEGACY_STU3_FACE,
  R4_FACE,
];
