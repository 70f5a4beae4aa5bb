import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { progressWords, texts } from '../web/src/features/deployment/texts.ts'

const here = resolve(import.meta.dirname, '../web/src/features/deployment')
const stories = resolve(import.meta.dirname, '../e2e/src')

function sourcesIn(folder: string, wanted: (name: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('texts.ts') && wanted(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

const isTest = (name: string) => /\.test\.tsx?$/.test(name)
const product = sourcesIn(here, (name) => !isTest(name) && !name.startsWith('testing'))
const proof = [...sourcesIn(here, isTest), ...sourcesIn(stories, () => true)]

interface Leaf {
  path: string
  text: string
}

function leavesOf(node: unknown, path: string): Leaf[] {
  if (typeof node === 'string') return [{ path, text: node }]
  return Object.entries(node as object).flatMap(([key, value]) => leavesOf(value, `${path}.${key}`))
}

/** The ways in which a source can name a text: in full, by a short name for its part, or as a whole part. */
function namesOf(path: string, source: string): string[] {
  const full = [path]
  for (const [, short, of] of source.matchAll(/const (\w+) = (texts(?:\.\w+)*)\n/g))
    if (path.startsWith(`${of}.`)) full.push(`${short}${path.slice(of?.length)}`)
  return full.flatMap((name) => {
    const parts = name.split('.')
    // A part that is handed on or looked up in as a whole uses all that is in it.
    const above = parts.map((_, index) => parts.slice(0, index).join('.')).filter((part) => part !== '')
    return [name, ...above.flatMap((part) => [`${part}[`, ...(part.includes('.') ? [`${part}}`, `${part})`] : [])])]
  })
}

const isNamed = (source: string, path: string) =>
  namesOf(path, source).some((name) => {
    const at = source.indexOf(name)
    return at >= 0 && (/[[})]$/.test(name) || !/[\w]/.test(source[at + name.length] ?? ''))
  })
/** A text with a number in it is known by what stands before that. */
const isWritten = (source: string, text: string) => {
  const [known = ''] = text.split('{n}')
  return source.includes(known) || source.includes(known.replace(/[.()?]/g, '\\$&'))
}

/** Where the specification is silent, and the words are ours to change. */
const ours = ['texts.form', 'texts.presets', 'texts.merge', 'texts.diff', 'texts.selectVersion']
const isOurs = ({ path }: Leaf) =>
  ours.some((part) => path.startsWith(`${part}.`)) && path !== 'texts.selectVersion.step'

const leaves = leavesOf(texts, 'texts')
const words = leavesOf(progressWords, 'progressWords')

describe('the catalogue of texts', () => {
  it('holds no text that the product does not show', () => {
    const unused = leaves.filter(({ path }) => !product.some((source) => isNamed(source, path)))
    expect(unused).toEqual([])
  })

  it('holds no text that neither a component test nor a journey asserts', () => {
    const isAsserted = ({ path, text }: Leaf) =>
      proof.some((source) => isWritten(source, text) || isNamed(source, path))
    expect([...leaves, ...words].filter((leaf) => !isOurs(leaf) && !isAsserted(leaf))).toEqual([])
  })

  it('no part of the product writes a text of the catalogue by hand', () => {
    const long = leaves.filter(({ text }) => text.length > 20)
    const byHand = product.flatMap((source) => long.filter(({ text }) => source.includes(`'${text}'`)))
    expect(byHand).toEqual([])
  })
})
