import { defineConfig } from 'vitest/config'
import { contractCalls } from './web/build/contract-calls.ts'

/** Two kinds of tests: `unit` is pure logic beside its code, `http` drives a World through its public doors. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{values,contract,server,embedded,bench}/src/**/*.test.ts', 'law/*.test.ts', 'web/build/*.test.ts'],
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
          name: 'http',
          globalSetup: 'embedded/src/test-postgres.ts',
          include: ['{server,embedded}/src/**/*.http.test.ts', 'system-tests/**/*.http.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
