/** How many tests of a stage passed and failed. */
export type Count = { passed: number; failed: number }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** A file that could not even be loaded holds no test but counts as one that failed. */
export function countVitest(report: VitestReport): Count {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; errors?: unknown[] }

/** A journey that passed only when it was repeated has failed: it will do so again. */
export function countPlaywright({ stats, errors = [] }: PlaywrightReport): Count {
  const failed = stats.unexpected + stats.flaky
  return { passed: stats.expected, failed: failed === 0 && errors.length > 0 ? 1 : failed }
}

/** A stage that ended badly without naming a failed test still counts as one failure. */
export function judge(exitCode: number, count: Count): Count {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}
