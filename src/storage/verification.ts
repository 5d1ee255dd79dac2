/** What was found when stored data were checked: sentences, the first hundred of them. */

export interface FindingList {
  add(finding: string): void;
  readonly list: readonly string[];
  readonly total: number;
}

/** A damaged disk can break every row; nobody reads more. */
const LISTED_MAX = 100;

export function createFindings(): FindingList {
  const list: string[] = [];
  let total = 0;
  return {
    add: (finding) => {
      total++;
      if (list.length < LISTED_MAX) list.push(finding);
    },
    list,
    get total() {
      return total;
    },
  };
}
