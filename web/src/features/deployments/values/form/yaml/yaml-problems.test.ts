import { Text } from '@codemirror/state'
import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { expect, test } from 'vitest'
import { problemsIn } from './yaml-problems.ts'

const doc = Text.of(['port: 1', 'host: x', 'port: 2', ''])
const again = 'port comes again in line 3: the last one counts, this one does not'

test('a key that comes again is a warning at its line, and is not said twice when the server says it too', async () => {
  const warning = { from: 0, to: 7, severity: 'warning', message: again }
  expect(await problemsIn(doc, [])).toEqual([warning])
  const said: ResultLine[] = [
    { message: again, provider: 'YAML', resultType: 'info', isSummary: false, line: 1 },
    { message: 'is odd', provider: 'Lint', resultType: 'info', isSummary: false, line: 2 },
  ]
  expect(await problemsIn(doc, said)).toEqual([warning, { from: 8, to: 15, severity: 'info', message: 'Lint: is odd' }])
})

test('what is no YAML says only that', async () => {
  expect(await problemsIn(Text.of(['a: 1', 'a: [']), [])).toMatchObject([{ severity: 'error' }])
})
