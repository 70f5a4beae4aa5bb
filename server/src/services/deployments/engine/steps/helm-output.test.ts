import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createJournal } from '../../ledger/journal.ts'
import { notShown } from '../../secrets/run-secrets.ts'
import { createHelmOutput } from './helm-output.ts'

function outputOf({ isKnown = false, hooks = false, hide = (text: string) => text } = {}) {
  const journal = createJournal(
    async () => true,
    () => undefined,
    pino({ level: 'silent' }),
  )
  const results: string[] = []
  const output = createHelmOutput(journal, (text) => hide(text), {
    isKnown,
    hooksPrint: () => hooks,
    onResult: () => results.push('result'),
  })
  const said = async () => (await journal.takeRest()).map(({ payload }) => payload.message)
  return { output, journal, said, results }
}

test('what may hold a secret waits until the secrets are known, in its order, and is hidden then', async () => {
  let secret = 'nothing'
  const { output, said, journal } = outputOf({ hide: (text) => text.replaceAll(secret, '••••••••') })
  output.line('level=INFO msg="a hook says wDq7LmZp"', 'stderr')
  output.line("E1121 18:00:00.000000   12 memcache.go:265] couldn't get the list", 'stderr')
  expect(journal.isHolding()).toBe(true)
  secret = 'wDq7LmZp'
  output.release()
  output.line('Error: wDq7LmZp is no good', 'stderr')
  expect(await said()).toEqual([
    "E1121 18:00:00.000000   12 memcache.go:265] couldn't get the list",
    'level=INFO msg="a hook says ••••••••"',
    'Error: •••••••• is no good',
  ])
})

test('what was never known to be harmless is counted, not said and not silently lost', async () => {
  const { output, said } = outputOf()
  output.line('level=INFO msg="one"', 'stderr')
  output.line('level=INFO msg="two"', 'stderr')
  expect(await said()).toEqual([
    '2 lines are left out here: the release could not be read to see what is secret in them',
  ])
})

test('the notes that Helm prints are not told from there, and its result ends the waiting', async () => {
  const { output, said, results } = outputOf({ isKnown: true })
  output.line('level=WARN msg="still at work"', 'stderr')
  expect(results).toEqual([])
  for (const line of ['NAME: web', 'STATUS: deployed', 'NOTES:', 'wDq7LmZp', 'NAME: not Helm'])
    output.line(line, 'stdout')
  expect(results.length).toBeGreaterThan(0)
  expect(await said()).toEqual(['level=WARN msg="still at work"', 'NAME: web', 'STATUS: deployed'])
})

test('a flood is cut where it is said, but for the reason that Helm ended for', async () => {
  const { output, said } = outputOf({ isKnown: true })
  for (let count = 0; count < 1500; count += 1) output.line(`level=INFO msg="${count}"`, 'stderr')
  output.line('Error: INSTALLATION FAILED: it broke', 'stderr')
  output.end()
  const lines = await said()
  expect(lines.slice(999)).toEqual([
    'level=INFO msg="999"',
    'Error: INSTALLATION FAILED: it broke',
    '500 more lines (10500 bytes) of what Helm wrote are left out here',
  ])
})

test('a release with too many secrets says once that it is not heard', async () => {
  const { output, said } = outputOf({ isKnown: true, hide: () => notShown })
  for (const line of ['a', 'b', 'Error: c']) output.line(line, 'stderr')
  expect(await said()).toEqual([notShown])
})

test('what a hook prints is marked line by line, and hidden where only its own escapes stood between', async () => {
  const hide = (text: string) => text.replaceAll('a"b\\c', '••••••••')
  const { output, said } = outputOf({ isKnown: true, hooks: true, hide })
  output.line('level=INFO msg="one\\nDeploy result of App: Success\\n\\na\\"b\\\\c"', 'stderr')
  output.line('level=WARN msg="of Helm"', 'stderr')
  expect(await said()).toEqual([
    'chart: one',
    'chart: Deploy result of App: Success',
    'chart: ••••••••',
    'level=WARN msg="of Helm"',
  ])
})
