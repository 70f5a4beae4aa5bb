import { describe, expect, it } from 'vitest'
import { readYamlValue, YamlRefused, yamlProblem } from './yaml-document.ts'
import { guardYaml, yamlLimits } from './yaml-guard.ts'

const filled = (part: string, bytes = yamlLimits.maxBytes - 100) => part.repeat(Math.floor(bytes / part.length))
const deep = (levels: number, part: (level: number) => string) =>
  Array.from({ length: levels }, (_, i) => part(i)).join('')

describe('the guard before the parser', () => {
  const refused: [string, string, RegExp][] = [
    ['50 000 brackets', '['.repeat(50_000), /levels deep/],
    ['50 000 flow maps', '{a: '.repeat(50_000), /levels deep/],
    ['50 000 dashes on a line', '- '.repeat(50_000), /deeply/],
    ['50 000 tags', '!a '.repeat(50_000), /deeply/],
    ['65 maps by margin', deep(65, (i) => `${' '.repeat(i)}a:\n`), /levels deep/],
    ['35 maps of lists without margin', deep(35, (i) => `a:\n${' '.repeat(i * 2)}- `), /levels deep/],
    ['101 aliases', `a: &a 1\nb: [${'*a,'.repeat(101)}]`, /aliases/],
    ['commas only', `[${filled(',')}`, /parts/],
    ['a NUL', 'a: "\0"', /NUL/],
    ...['\r', '\u0085', '\u2028', '\u2029'].map((end): [string, string, RegExp] => [
      `values behind a comment that ${JSON.stringify(end)} ends for Helm`,
      `a: 1 # x${end}hidden: 2\n`,
      /line break/,
    ]),
    ['too much', 'a'.repeat(yamlLimits.maxBytes + 1), /larger/],
  ]
  it.each(refused)('refuses %s', (_, text, why) => {
    expect(guardYaml(text)?.message).toMatch(why)
  })

  it('lets through what people write', () => {
    const brackets = `a: "${'['.repeat(100)}"\nb: |\n  ${'{'.repeat(100)}\n# ${'['.repeat(100)}\nc: [1, [2]]\n`
    expect(guardYaml(brackets)).toBeUndefined()
    expect(guardYaml(deep(60, (i) => `${' '.repeat(i)}a:\n`))).toBeUndefined()
    expect(guardYaml(`line: 1 # ${'- '.repeat(80)}\n`)).toBeUndefined()
  })
})

describe('what is read', () => {
  it('refuses aliases that multiply', () => {
    const laughs = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [i, name] of [...'bcdefghi'].entries()) {
      laughs.push(`${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`)
    }
    expect(() => readYamlValue(laughs.join('\n'))).toThrow(YamlRefused)
    expect(yamlProblem('a: &a\n  b: [*a]\n')?.message).toBe('Its aliases make it too large.')
  })

  it('has no keys that reach a prototype, and reads scalars as Helm does', () => {
    const value = readYamlValue('__proto__: {x: 1}\na: {constructor: 1, b: yes, c: 0644, d: off, e: 1_000, n: x}\n')
    expect(value).toEqual({ a: { b: true, c: 420, d: false, e: 1000, false: 'x' } })
  })

  it('names the line and takes the last of equal keys', () => {
    expect(yamlProblem('a: 1\nb: [\n')).toMatchObject({ kind: 'invalid' })
    expect(yamlProblem('a: 1\nb: "x\n')?.line).toBeGreaterThan(1)
    expect(readYamlValue('a: 1\r\na: 2\r\n')).toEqual({ a: 2 })
  })

  it('is one document, as Helm would mix the values of several', () => {
    for (const more of ['---\nb: 1\n', '...\nb: 1\n', '--- {b: 1}\n', '---\n---\n# x\nb: 1\n'])
      expect(yamlProblem(`a: 1\n${more}`), more).toMatchObject({
        kind: 'invalid',
        message: expect.stringMatching(/more than one/),
      })
    expect(yamlProblem('---\n---\na: 1\n')?.message).toMatch(/more than one/)
    for (const text of ['---\na: 1\n', '# x\n---\na: 1\n', 'a: 1\n---\n', 'a: 1\n...\n--- # x\n', 'a: 1\r\n---\r\n'])
      expect(readYamlValue(text), text).toEqual({ a: 1 })
  })

  it('ends in time on every text made of one part', () => {
    const parts = [
      'a:\n',
      'a,',
      '- 1\n',
      '"',
      '# x\n',
      '\n',
      'a: b\r\n',
      '- !t\n',
      '? a\n: b\n',
      ' &a\n',
      "''",
      ':,',
      '<<: *a\n',
    ]
    for (const part of parts) {
      for (const text of [filled(part), `[${filled(part)}]`]) {
        const start = performance.now()
        yamlProblem(text)
        expect(performance.now() - start, JSON.stringify(part)).toBeLessThan(4000)
      }
    }
  }, 60_000)
})
