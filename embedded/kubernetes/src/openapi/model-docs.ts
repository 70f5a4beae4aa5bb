import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { MODEL_FOLDER } from '../resources/model-schema.ts'

/** Descriptions of a model class and its fields, from the client library's declarations. */
interface ModelDocs {
  description: string
  fields: ReadonlyMap<string, { description: string; required: boolean }>
}

const requireFromHere = createRequire(import.meta.url)
const known = new Map<string, ModelDocs>()

const FIELD = /(?:\/\*\*\s*\n\s*\*\s?([\s\S]*?)\s*\*\/\s*)?'([^']+)'(\?)?:/g

const plain = (text: string): string =>
  text
    .replace(/\n\s*\*\s?/g, '\n')
    .replace(/\\(['"`])/g, '$1')
    .trim()

/** The library writes names that are words of its language with a `_` before them. */
const wireName = (name: string): string => name.replace(/^_/, '').replace(/^x_kubernetes_/, 'x-kubernetes-')

function readDocs(className: string): ModelDocs {
  const path = requireFromHere.resolve(`${MODEL_FOLDER}${className}.js`).replace(/\.js$/, '.d.ts')
  const source = readFileSync(path, 'utf8')
  const start = source.indexOf(`export declare class ${className} `)
  const body = source.slice(start, source.indexOf('static readonly', start))
  const head = source.slice(0, start)
  const comment = /\/\*\*\s*\n\*\s?([\s\S]*?)\s*\*\/\s*$/.exec(head)?.[1] ?? ''
  const fields = new Map<string, { description: string; required: boolean }>()
  for (const [, text = '', name = '', optional] of body.matchAll(FIELD)) {
    fields.set(wireName(name), { description: plain(text), required: !optional })
  }
  return { description: plain(comment), fields }
}

export function modelDocs(className: string): ModelDocs {
  const found = known.get(className)
  if (found) return found
  const made = readDocs(className)
  known.set(className, made)
  return made
}
