import { describe, expect, it } from 'vitest'
import { crowded } from './crowded-folders.ts'
import { longFunctions } from './long-functions.ts'
import { parseModule } from './module-syntax.ts'
import { unusedExports } from './unused-exports.ts'

const lines = (count: number) => '\n'.repeat(count)
const longOf = (file: string, text: string) => longFunctions(file, text, parseModule(file, text))

describe('functions', () => {
  it('are measured by their own lines, whatever way they are written', () => {
    const text = `function a() {${lines(80)}}
      const b = () => {${lines(80)}}
      const c = { d() {${lines(80)}}, e: async () => {${lines(80)}} }
      function f() {${lines(79)}}`
    const found = longOf('x.ts', text)
    expect(found).toMatchObject(['a', 'b', 'd', 'e'].map((name) => ({ name, lines: 81 })))
  })

  it('may be long where they are lists of cases', () => {
    expect(longOf('server/src/a.test.ts', `describe('a', () => {${lines(200)}})`)).toEqual([])
    expect(longOf('server/src/a.ts', `describe('a', () => {${lines(200)}})`)).toHaveLength(1)
  })
})

it('counts the files that stand beside each other', () => {
  const files = Array.from({ length: 26 }, (_, index) => `web/src/a/${index}.ts`)
  expect(crowded([...files, 'web/src/a/b/one.ts'])).toEqual([{ folder: 'web/src/a', count: 26 }])
  expect(crowded(files.slice(1))).toEqual([])
})

describe('exports', () => {
  const unused = (files: Record<string, string>) =>
    unusedExports(
      Object.entries(files).map(([file, text]) => ({
        file,
        syntax: parseModule(file, text),
        targetOf: (specifier: string) => specifier,
      })),
    ).map(({ file, name, why }) => `${file} ${name}: ${why.split(':')[0]}`)

  it('of an interface are used by whoever adds to it', () => {
    const files = {
      'a.ts': 'export interface Reasons { none: never }',
      'b.ts': `declare module 'a.ts' { interface Reasons { right: string } }`,
    }
    expect(unused(files)).toEqual([])
    expect(unused({ ...files, 'b.ts': 'interface Reasons {}' })).toHaveLength(1)
  })

  it('need somebody who imports them: by name, at run time or as a whole', () => {
    const a = 'export const one = 1, two = 2\nexport interface Three {}\nexport const { four, five: [six] } = x'
    expect(unused({ 'a.ts': a, 'b.ts': "import { one, type Three } from 'a.ts'" })).toEqual(
      ['two', 'four', 'six'].map((name) => `a.ts ${name}: No other file imports it`),
    )
    expect(unused({ 'a.ts': a, 'b.ts': "import('a.ts').then(({ one, two, four, six }) => one as Three)" })).toEqual([])
    expect(
      unused({ 'a.ts': a, 'b.ts': "import * as a from 'a.ts'\na.one + a.two + a.four + a.six as a.Three" }),
    ).toEqual([])
  })

  it('that tests alone import stand beside those tests', () => {
    const used = "import { one } from 'server/src/a/a.ts'"
    const a = { 'server/src/a/a.ts': 'export const one = 1' }
    expect(unused({ ...a, 'server/src/a/a.test.ts': used })).toEqual([])
    expect(unused({ ...a, 'server/src/b/b.test.ts': used })).toEqual([
      'server/src/a/a.ts one: Tests elsewhere alone import it',
    ])
    expect(unused({ ...a, 'server/src/b/b.test.ts': used, 'server/src/b/b.ts': used })).toEqual([])
  })
})
