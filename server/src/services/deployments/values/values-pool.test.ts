import { secretMark } from '@quayside/values/secrets/secret-mark'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { expect, test } from 'vitest'
import { heldLoop } from '../testing/held-loop.ts'
import { readSubmitted } from './values.ts'
import { inWorker, isHard } from './values-pool.ts'

const section = (at: number) =>
  `# What section ${at} is for\nsection${at}:\n  enabled: true\n  password: pw-${at}-secret\n  replicas: ${at}\n`
const large = (from: number) => Array.from({ length: 3000 }, (_, at) => section(at + from)).join('')

test('large values are merged and masked beside the event loop', { timeout: 60_000 }, async () => {
  const [before, theirs] = [large(0), `${large(0)}new: 1\n`]
  const yours = before.replace('replicas: 7\n', 'replicas: 8\n')
  expect(before.length).toBeGreaterThan(250_000)
  const took: number[] = []
  const longest = await heldLoop(async () => {
    const start = performance.now()
    const { yaml } = await inWorker('merge', { before, yours, theirs })
    const masked = await inWorker('mask', { yaml, secrets: [], known: [] })
    took.push(performance.now() - start)
    expect(yaml).toBe(yours.concat('new: 1\n'))
    expect(masked).toContain(`password: "${secretMark}"`)
    expect(masked).not.toContain('pw-7-secret')
  })
  // Here it would have held everything for all of that time.
  expect(longest).toBeLessThan((took[0] ?? 0) / 3)
})

test('what may take long is asked beside the event loop, and nothing else is', () => {
  const small = {
    yaml: 'a: 1\n',
    version: { valuesYaml: 'a: 2\n', valuesSchema: { properties: { a: { type: 'string' } } } },
  }
  expect(isHard(small)).toBe(false)
  expect(isHard({ ...small, yaml: section(1).repeat(300) })).toBe(true)
  const endless = { $defs: { a: { required: ['b'], properties: { b: { $ref: '#/$defs/a' } } } } }
  expect(isHard({ yaml: 'a: 1\n', schema: endless })).toBe(true)
})

test('what is no YAML is refused with its line, near and far', async () => {
  const version = { valuesYaml: '', valuesSchema: null }
  await expect(readSubmitted('a: [', 'yaml', version)).rejects.toMatchObject({ code: 'values.invalid-yaml' })
  await expect(readSubmitted(`${large(0)}a: [\n`, 'yaml', version)).rejects.toMatchObject({
    code: 'values.invalid-yaml',
    details: { line: 15_002 },
  })
})

test('names that Helm keeps and nobody here would see are refused with their line', async () => {
  const version = { valuesYaml: 'a: 1\n', valuesSchema: null }
  for (const name of ['__proto__', '"\\x5f_proto__"', 'constructor', '? &k prototype\n'])
    await expect(readSubmitted(`a: 1\n${name}: {evil: 1}\n`, 'yaml', version), name).rejects.toMatchObject({
      code: 'values.invalid-yaml',
      details: { line: 2 },
    })
  await expect(readSubmitted('a: the constructor of a prototype\n', 'yaml', version)).resolves.toMatchObject({
    values: { a: 'the constructor of a prototype' },
  })
})

test('after a refusal the next question is answered', async () => {
  await expect(inWorker('merge', { before: '{', yours: large(0), theirs: '' })).rejects.toBeInstanceOf(YamlRefused)
  expect((await inWorker('unmask', { yaml: `${large(0)}a: 1\n`, kept: {} })).missing).toEqual([])
})
