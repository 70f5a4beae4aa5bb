import { expect, it } from 'vitest'
import { readKubeconfig } from './read-kubeconfig.ts'

const config = `
apiVersion: v1
current-context: two
contexts:
  - name: one
    context: { cluster: a, user: u }
  - name: two
    context: { cluster: b, user: u }
`

it('offers the contexts and chooses the current one', () => {
  expect(readKubeconfig(config)).toEqual({
    contexts: [
      { name: 'one', cluster: 'a' },
      { name: 'two', cluster: 'b' },
    ],
    current: 'two',
  })
})

it('chooses the first context when the current one is not there', () => {
  expect(readKubeconfig(config.replace('current-context: two', 'current-context: gone'))).toMatchObject({
    current: 'one',
  })
})

it.each([
  ['contexts: [', /not YAML/],
  ['hello', /no contexts/],
  ['', /no contexts/],
  ['contexts: []', /no contexts/],
  ['contexts: [null, 3]', /no contexts/],
  ['x'.repeat(300_000), /256 KiB/],
])('refuses %.20j', (text, problem) => {
  const facts = readKubeconfig(text)
  expect('problem' in facts && facts.problem).toMatch(problem)
})
