import { stripVTControlCharacters } from 'node:util'
import type { FileTime } from './file-times.ts'

/** How many tests of a stage passed and failed, what the failed ones said, and what each file took. */
export type Count = { passed: number; failed: number; failures?: Failure[]; times?: FileTime[] }

/** Where a failed test is and its first words. */
type Failure = { test: string; message: string }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[]
  }[]
}

/** A file that could not even be loaded holds no test but counts as one that failed. */
export function countVitest(report: VitestReport): Count {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => failure(`${name} > ${fullName}`, failureMessages?.[0])),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    failures: [...broken.map(({ name, message }) => failure(name, message)), ...failures],
  }
}

type Spec = { title: string; file: string; line: number; ok: boolean; tests: { status: string; results: Result[] }[] }
type Result = { duration?: number; error?: { message?: string } }
type Suite = { specs?: Spec[]; suites?: Suite[] }
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  errors?: { message?: string }[]
  suites?: Suite[]
}

/** A journey that passed only when it was repeated has failed: it will do so again. */
export function countPlaywright({ stats, errors = [], suites = [] }: PlaywrightReport): Count {
  const failed = stats.unexpected + stats.flaky
  const specs = suites.flatMap(specsOf)
  const bad = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  return {
    passed: stats.expected,
    failed: failed === 0 && errors.length > 0 ? 1 : failed,
    failures: [
      ...errors.map(({ message }) => failure('before any journey', message)),
      ...bad.map(({ title, file, line, tests }) => {
        const results = tests.flatMap((test) => test.results)
        return failure(`${file}:${line} > ${title}`, results.find(({ error }) => error)?.error?.message)
      }),
    ],
    times: timesOf(specs),
  }
}

const specsOf = ({ specs = [], suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]

function timesOf(specs: Spec[]): FileTime[] {
  const seconds = new Map<string, number>()
  for (const { file, tests } of specs)
    for (const { duration = 0 } of tests.flatMap(({ results }) => results))
      seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000)
  return [...seconds].map(([file, seconds]) => ({ file, seconds }))
}

/** The files that took longest, the longest first. */
export function slowest(times: FileTime[], count: number): FileTime[] {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
}

const mostLines = 12

function failure(test: string, message = 'no words'): Failure {
  return { test, message: stripVTControlCharacters(message).split('\n').slice(0, mostLines).join('\n') }
}

/** A stage that ended badly without naming a failed test still counts as one failure. */
export function judge(exitCode: number, count: Count): Count {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}
