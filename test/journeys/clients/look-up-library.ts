/** A look-up library as Java programs have it: a code in, an organisation or null out. */
import { type LegacyOrganization, legacyOrganization, legacyOutcome } from './legacy-payloads.ts';

/** What is thrown for all but "not found", with the service's own code and words. */
export class LookUpFailure extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export class LookUpLibrary {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async findByCode(code: string): Promise<LegacyOrganization | null> {
    const response = await this.#get(`Organization/${encodeURIComponent(code)}`);
    if (response.status === 404) return null;
    return legacyOrganization.parse(await response.json());
  }

  async count(query: string): Promise<number> {
    const response = await this.#get(`Organization?${query}&_summary=count`);
    const { total }: { total?: unknown } = Object(await response.json());
    if (typeof total !== 'string') throw new TypeError('total is a String of this class');
    return Number.parseInt(total, 10);
  }

  async #get(path: string): Promise<Response> {
    const response = await fetch(`${this.#directory}/${path}`, {
      headers: { Accept: 'application/json', 'User-Agent': 'Java/1.8.0_202' },
    });
    if (!response.ok && response.status !== 404) {
      const [issue] = legacyOutcome.parse(await response.json()).issue;
      const { code = '' } = issue?.details.coding ?? {};
      throw new LookUpFailure(response.status, code, issue?.diagnostics ?? '');
    }
    return response;
  }
}
