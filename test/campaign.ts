/** How often a test repeats: seldom in the check, often in a campaign (`npm test -- --campaign`). */

/** The number of repetitions. */
export function repetitions(inCheck: number, inCampaign: number): number {
  return process.env.TEST_CAMPAIGN === undefined ? inCheck : inCampaign;
}
