/** The findings of `gazetteer doctor`: a line for each check, with the problem and its remedy. */
export interface DoctorFinding {
  readonly level: 'ok' | 'warning' | 'error';
  /** The name of the check: `data folder`. */
  readonly check: string;
  /** The state that was found; if it is not ok, also the remedy. */
  readonly text: string;
}

/** The findings of a check. If it throws, the message is an error: it names the remedy. */
export async function findingsOf(
  check: string,
  action: () => Omit<DoctorFinding, 'check'>[] | Promise<Omit<DoctorFinding, 'check'>[]>,
): Promise<DoctorFinding[]> {
  try {
    return (await action()).map(({ level, text }) => ({ level, check, text }));
  } catch (error) {
    return [{ level: 'error', check, text: error instanceof Error ? error.message : `${error}` }];
  }
}

export function ok(text: string): Omit<DoctorFinding, 'check'> {
  return { level: 'ok', text };
}

export function warning(text: string): Omit<DoctorFinding, 'check'> {
  return { level: 'warning', text };
}

export function failure(text: string): Omit<DoctorFinding, 'check'> {
  return { level: 'error', text };
}
