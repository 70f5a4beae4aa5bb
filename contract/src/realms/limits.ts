const [minute, day] = [60, 86_400]
const year = 365 * day

/** Longest text of a password policy, in characters. */
export const longestPolicy = 1000

/**
 * Smallest and largest number that a setting is set to; seconds where it is a time. A session that ends within a minute
 * would keep everybody out, also who could change it back.
 */
export const limitsOfSettings = {
  ssoSessionIdleTimeout: { least: 5 * minute, most: year },
  ssoSessionMaxLifespan: { least: 10 * minute, most: year },
  maxTemporaryLockouts: { least: 0, most: 1000 },
  // A right password counts until all is right: at one, nobody would come past it to their one-time code.
  failureFactor: { least: 2, most: 1000 },
  waitIncrementSeconds: { least: 1, most: day },
  maxFailureWaitSeconds: { least: 1, most: 30 * day },
  maxDeltaTimeSeconds: { least: minute, most: 30 * day },
  quickLoginCheckMilliSeconds: { least: 0, most: minute * 1000 },
  minimumQuickLoginWaitSeconds: { least: 1, most: day },
  otpPolicyLookAheadWindow: { least: 0, most: 50 },
  otpPolicyPeriod: { least: 10, most: 5 * minute },
  otpPolicyInitialCounter: { least: 0, most: 1_000_000 },
} as const
