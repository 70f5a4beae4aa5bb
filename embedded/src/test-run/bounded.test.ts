import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runBounded } from './bounded.ts'

const run = (script: string, milliseconds: number) =>
  runBounded(process.execPath, ['-e', script], { cwd: tmpdir(), env: { GIVEN: '7' }, milliseconds })

test('a program in time answers with its exit code', async () => {
  expect(await run('process.exit(Number(process.env.GIVEN))', 30_000)).toEqual({ code: 7, isLate: false })
})

test('a loop that never yields is ended', async () => {
  expect(await run('for (;;);', 300)).toEqual({ code: 1, isLate: true })
})
