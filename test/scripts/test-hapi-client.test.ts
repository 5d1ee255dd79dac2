/** The test with the client of HAPI FHIR reports what is missing, and succeeds. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

const MAVEN_WITHOUT_NETWORK = '[ "$1" = -version ] || { echo "[ERROR] no network"; exit 1; }';

const CASES: readonly (readonly [programs: Readonly<Record<string, string>>, reason: RegExp])[] = [
  [{}, /there is no java; install Maven, and a JDK of version 17 or newer/],
  [
    { java: '', javac: 'echo javac 17.0.1' },
    /there is no mvn; install Maven, and a JDK of version 17 or newer/,
  ],
  [
    { java: '', javac: 'echo javac 1.8.0_1 >&2', mvn: '' },
    /the JDK is javac 1\.8\.0_1; install version 17 or newer/,
  ],
  [
    { java: '', javac: 'echo javac 21.0.2', mvn: MAVEN_WITHOUT_NETWORK },
    /Maven cannot get the libraries of HAPI FHIR \(\[ERROR\] no network\)/,
  ],
];

for (const [programs, reason] of CASES) {
  it(`skips with ${Object.keys(programs).join(', ') || 'no program'}: ${reason.source}`, (context) => {
    const folder = temporaryFolder(context);
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts/test-hapi-client.ts')],
      { encoding: 'utf8', env: { PATH: folder } },
    );
    assert.match(stdout, new RegExp(`^Skipped test/hapi-client: ${reason.source}\\.\\n$`));
    assert.equal(status, 0);
  });
}
