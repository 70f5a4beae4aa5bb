import { expect, test } from 'vitest'
import { comparedManifests } from './revisions.ts'

const asIs = (text: string) => text
const map = (data: string) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: ${data}\n`

test('what is too deep or too much to be read says so instead of what differs', async () => {
  const deep = map('['.repeat(3000) + ']'.repeat(3000))
  for (const [before, after] of [
    [map('{}'), deep],
    [deep, map('{}')],
  ] as const)
    expect(await comparedManifests(before, after, asIs)).toEqual({
      objects: [],
      unchanged: 0,
      problem: 'The manifest is nested too deeply.',
    })
})

test('everything else is compared', async () => {
  const { objects, problem } = await comparedManifests(map('{b: c}'), map('{b: d}'), asIs)
  expect([objects.map(({ name, change }) => [name, change]), problem]).toEqual([[['a', 'changed']], null])
})
