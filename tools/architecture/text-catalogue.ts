import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Leaf {
  path: string
  text: string
}

/** Every text of a catalogue with the path by which sources name it. */
export function leavesOf(node: unknown, path: string): Leaf[] {
  if (typeof node === 'string') return [{ path, text: node }]
  return Object.entries(node as object).flatMap(([key, value]) => leavesOf(value, `${path}.${key}`))
}

const isTest = (name: string) => /\.test\.tsx?$/.test(name)

function sourcesIn(folder: string, wanted: (name: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('texts.ts') && wanted(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** Where the texts of a feature are shown, and where a component test or a journey asserts them. */
export function sourcesOf(feature: string): { product: string[]; proof: string[] } {
  const here = resolve(import.meta.dirname, '../../web/src/features', feature)
  const stories = resolve(import.meta.dirname, '../../e2e/src')
  return {
    product: sourcesIn(here, (name) => !isTest(name) && !name.startsWith('testing')),
    proof: [...sourcesIn(here, isTest), ...sourcesIn(stories, () => true)],
  }
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

/** Every place is looked at: the first may be a longer name that begins with this one. */
export const isNamed = (source: string, path: string) =>
  namesOf(path, source).some((name) =>
    source
      .split(name)
      .slice(1)
      .some((after) => /[[})]$/.test(name) || !/^\w/.test(after)),
  )

/** A text with something put into it is known by what stands before that. */
export const isWritten = (source: string, text: string) => {
  const [known = ''] = text.split('{n}')
  return source.includes(known) || source.includes(known.replace(/[.()?]/g, '\\$&'))
}

/** Long texts that a source writes by hand instead of naming them. */
export function writtenByHand(product: string[], leaves: Leaf[]): Leaf[] {
  const long = leaves.filter(({ text }) => text.length > 20)
  return product.flatMap((source) => long.filter(({ text }) => source.includes(`'${text}'`)))
}
