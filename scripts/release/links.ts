/** The relationships and successions of generated organisations: their types, targets and dates. */
import type { KindName } from './kinds.ts';
import type { SampleDate, SampleLink, SampleSuccession, SampleTarget } from './organisation.ts';
import type { Random } from './random.ts';

/** The organisations that were made before one, as targets of its relationships. */
export class IssuedCodes {
  readonly #byKind = new Map<KindName, SampleTarget[]>();
  readonly #byCode = new Map<string, SampleTarget>();

  add(kind: KindName, target: SampleTarget): void {
    this.#byCode.set(target.code, target);
    const known = this.#byKind.get(kind);
    if (known === undefined) this.#byKind.set(kind, [target]);
    else known.push(target);
  }

  find(code: string): SampleTarget | undefined {
    return this.#byCode.get(code);
  }

  pick(kind: KindName, random: Random): SampleTarget | undefined {
    const known = this.#byKind.get(kind);
    return known && random.pick(known);
  }
}

/** An organisation that gets relationships. */
export interface LinkedOrganisation {
  readonly kind: KindName;
  readonly code: string;
  readonly start: string;
  /** Of a closed organisation. */
  readonly end: string | undefined;
  readonly publicationDate: string;
}

export function drawLinks(
  organisation: LinkedOrganisation,
  issued: IssuedCodes,
  random: Random,
): readonly SampleLink[] {
  return RULES[organisation.kind].flatMap((rule) => {
    if (!random.isChance(rule.chance)) return [];
    return periodsOf(organisation, rule.pastMax, random).map((date) => ({
      id: rule.type,
      // Some relationships have the same Legal dates too.
      dates: random.isChance(800) ? [date, { ...date, type: 'Legal' as const }] : [date],
      status: date.end === undefined ? 'Active' : 'Inactive',
      target: targetOf(rule, organisation, issued, random),
    }));
  });
}

export function drawSuccession(
  { kind, start, end = start }: LinkedOrganisation,
  issued: IssuedCodes,
  random: Random,
): SampleSuccession {
  const isForward = random.isChance(5000);
  return {
    type: random.isChance(8000) ? 'Successor' : 'Predecessor',
    date: end,
    target: issued.pick(kind, random) ?? FORMER_COMMISSIONER,
    ...(isForward && { isForward }),
  };
}

interface LinkRule {
  readonly type: string;
  readonly target: KindName | 'region' | 'ownPractice' | 'formerCommissioner';
  /** How many of 10,000 organisations have it. */
  readonly chance: number;
  /** The most relationships of this type that ended, before the last one. */
  readonly pastMax: number;
}

const commissioned: LinkRule = { type: 'RE4', target: 'commissioner', chance: 9500, pastMax: 3 };
const inRegion: LinkRule = { type: 'RE5', target: 'region', chance: 2500, pastMax: 1 };
const formerly: LinkRule = { type: 'RE4', target: 'formerCommissioner', chance: 1500, pastMax: 0 };
const operated = (target: KindName, chance = 9800): LinkRule => ({
  type: 'RE6',
  target,
  chance,
  pastMax: 2,
});

const RULES: Readonly<Record<KindName, readonly LinkRule[]>> = {
  practice: [
    commissioned,
    { type: 'RE8', target: 'network', chance: 8500, pastMax: 1 },
    inRegion,
    formerly,
  ],
  costCentre: [commissioned, operated('other', 5000), formerly],
  branch: [{ type: 'RE6', target: 'ownPractice', chance: 9900, pastMax: 0 }, inRegion, formerly],
  trust: [inRegion, { type: 'RE5', target: 'commissioner', chance: 9500, pastMax: 3 }],
  trustSite: [operated('trust'), inRegion, formerly],
  pharmacy: [operated('pharmacyHeadquarters', 8000), commissioned],
  pharmacyHeadquarters: [inRegion],
  dentist: [commissioned, inRegion],
  careSite: [operated('company'), inRegion, formerly],
  independentSite: [operated('company'), inRegion],
  company: [inRegion],
  formerClinic: [operated('trust'), inRegion, formerly],
  school: [inRegion, operated('other', 6000)],
  optician: [commissioned, operated('company', 3000)],
  network: [commissioned, inRegion],
  scottishPractice: [],
  commissioner: [{ type: 'RE2', target: 'other', chance: 9000, pastMax: 2 }, inRegion],
  other: [inRegion, { type: 'RE2', target: 'other', chance: 2000, pastMax: 1 }],
};

/** The landmark of a region, and a commissioner without a record. */
const REGION: SampleTarget = { code: 'Y54', role: 'RO209' };
const FORMER_COMMISSIONER: SampleTarget = { code: '00Z', role: 'RO98' };

function targetOf(
  { target }: LinkRule,
  { code }: LinkedOrganisation,
  issued: IssuedCodes,
  random: Random,
): SampleTarget {
  switch (target) {
    case 'region':
      return REGION;
    case 'ownPractice': {
      const practice = code.slice(0, 6);
      return issued.find(practice) ?? { code: practice, role: 'RO177' };
    }
    case 'formerCommissioner': {
      // Primary care trusts, which have no records.
      const letter = String.fromCharCode(0x41 + random.below(26));
      return { code: `5${random.below(10)}${letter}`, role: 'RO179' };
    }
    default:
      return issued.pick(target, random) ?? FORMER_COMMISSIONER;
  }
}

/** Consecutive periods. Each ends on 31 March, and the last one with the organisation. */
function periodsOf(
  { start, end, publicationDate }: LinkedOrganisation,
  pastMax: number,
  random: Random,
): readonly SampleDate[] {
  const last = Number((end ?? publicationDate).slice(0, 4)) - 1;
  const years = new Set<number>();
  for (let past = random.below(pastMax + 1); past > 0; past--) {
    const first = Number(start.slice(0, 4)) + 1;
    if (first <= last) years.add(first + random.below(last - first + 1));
  }
  const periods: SampleDate[] = [];
  let from = start;
  for (const year of [...years].sort((a, b) => a - b)) {
    periods.push({ type: 'Operational', start: from, end: `${year}-03-31` });
    from = `${year}-04-01`;
  }
  return [...periods, { type: 'Operational', start: from, ...(end !== undefined && { end }) }];
}
