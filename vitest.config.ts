import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { FileTimes, timesVariable } from './embedded/src/test-run/file-times.ts'
import { contractCalls } from './web/build/contract-calls.ts'

/** Test files that only `npm run test:long` runs. */
const longFiles = [
  'embedded/kubernetes/src/conformance/**/*.http.test.ts',
  'embedded/telemetry/src/promqltest/*.http.test.ts',
  'system-tests/{races,random-run}/*.http.test.ts',
]

/** A test that is not through by then hangs: a busy machine takes ten times as long as an idle one. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } }

/**
 * Beside the code. Files of one worker share its modules: reading React, Mantine, the editor or the schemas takes longer
 * than most files. Each test leaves globals and mocks as it found them. A file that measures its own process is an HTTP
 * test, which has one to itself.
 */
const beside = { ...patience, isolate: false, maxWorkers: availableParallelism() }

/** On engines that all files of a run share; a file that wants a World starts its own on them. */
const onEngines = {
  ...patience,
  globalSetup: 'embedded/src/test-postgres.ts',
  // A file waits for clusters, leases and Helm half of the time: four keep two cores busy.
  maxWorkers: 4,
}

/** `unit` and `web` are logic and screens beside their code, `http` and `long` drive a World through its public doors. */
export default defineConfig({
  test: {
    reporters: process.env[timesVariable] ? ['default', 'json', new FileTimes()] : ['default'],
    projects: [
      {
        test: {
          ...beside,
          name: 'unit',
          include: [
            '{values,contract,server,embedded,embedded/*,bench}/src/**/*.test.ts',
            'system-tests/**/*.test.ts',
            'deploy/**/*.test.ts',
            'tools/architecture/*.test.ts',
            'web/build/*.test.ts',
          ],
          exclude: ['**/*.http.test.ts', '**/node_modules/**'],
        },
      },
      {
        plugins: [contractCalls()],
        test: {
          ...beside,
          name: 'web',
          // After the others: a worker is started anew whenever it goes from one project to another.
          sequence: { groupOrder: 1 },
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: 'web/src/testing/set-up.ts',
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
