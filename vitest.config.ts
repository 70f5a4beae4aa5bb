import { defineConfig } from 'vitest/config'
import { FileTimes, timesVariable } from './embedded/src/test-run/file-times.ts'
import { contractCalls } from './web/build/contract-calls.ts'

/** Test files that only `npm run test:long` runs. */
const longFiles = [
  'embedded/kubernetes/src/conformance/**/*.http.test.ts',
  'system-tests/{races,random-run}/*.http.test.ts',
]

/** On engines that all files of a run share; a file that wants a World starts its own on them. */
const onEngines = {
  globalSetup: 'embedded/src/test-postgres.ts',
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // A file waits for clusters, leases and Helm half of the time: three keep two cores busy.
  maxWorkers: 3,
}

/** `unit` and `web` are logic and screens beside their code, `http` and `long` drive a World through its public doors. */
export default defineConfig({
  test: {
    reporters: process.env[timesVariable] ? ['default', 'json', new FileTimes()] : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{values,contract,server,embedded,embedded/*,bench}/src/**/*.test.ts',
            'system-tests/**/*.test.ts',
            'tools/architecture/*.test.ts',
            'web/build/*.test.ts',
          ],
          exclude: ['**/*.http.test.ts', '**/node_modules/**'],
        },
      },
      {
        plugins: [contractCalls()],
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
        },
      },
      {
        test: {
          ...onEngines,
          name: 'http',
          include: ['{server,embedded,embedded/*}/src/**/*.http.test.ts', 'system-tests/**/*.http.test.ts'],
          exclude: [...longFiles, '**/node_modules/**'],
        },
      },
      {
        test: {
          ...onEngines,
          name: 'long',
          include: longFiles,
        },
      },
    ],
  },
})
