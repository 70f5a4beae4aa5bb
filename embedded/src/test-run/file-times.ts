import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Wall-clock time of a test file, in seconds. */
export type FileTime = { file: string; seconds: number }

/** The environment variable that names the file to write the times to, as JSON. */
export const timesVariable = 'QUAYSIDE_FILE_TIMES'

/** A reporter of Vitest; its JSON report leaves out what a file took before its first test, where engines start. */
export class FileTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[timesVariable]
    if (path) writeFileSync(path, JSON.stringify(modules.map(timeOf)))
  }
}

function timeOf(module: TestModule): FileTime {
  const { duration, collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic()
  const milliseconds = duration + collectDuration + environmentSetupDuration + prepareDuration + setupDuration
  return { file: module.moduleId, seconds: milliseconds / 1000 }
}
