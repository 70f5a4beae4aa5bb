import { intakeLimits } from './limits.ts'
import { refuse } from './refuse.ts'

const maxDepth = 64
const traps = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a values.schema.json. Refuses references to anything outside of it: whoever follows them reads the server's
 * files or calls other machines on the word of a package.
 */
export function readSchema(bytes: Buffer, file: string): unknown {
  if (bytes.length > intakeLimits.schemaBytes) {
    throw refuse(`The schema is larger than ${intakeLimits.schemaBytes / 1024} KiB.`, file)
  }
  const text = bytes.toString('utf8')
  if (jsonDepth(text) > maxDepth) throw refuse(`The schema is nested more than ${maxDepth} levels deep.`, file)
  let schema: unknown
  try {
    schema = JSON.parse(text, function (key, value) {
      return traps.has(key) && !Array.isArray(this) ? undefined : value
    })
  } catch (error) {
    throw refuse(`The schema is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`, file)
  }
  const foreign = foreignReference(schema)
  if (foreign)
    throw refuse(
      `The schema refers to ${foreign.to} (${foreign.key}); only references within it (#…) are allowed.`,
      file,
    )
  return schema
}

/** The deepest nesting of a JSON text, counted without parsing it. */
function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isText) {
      if (char === '\\') at += 1
      else if (char === '"') isText = false
    } else if (char === '"') isText = true
    else if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth -= 1
  }
  return deepest
}

const references = new Set(['$ref', '$dynamicRef', '$recursiveRef'])
const namesBelow = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Follows the whole schema; below `properties` and the like keys are names of values, not words of the schema. */
function foreignReference(node: unknown, isNames = false): { key: string; to: string } | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const hasWords = !Array.isArray(node) && !isNames
  for (const [key, value] of Object.entries(node)) {
    if (hasWords && typeof value === 'string' && leadsOut(key, value)) return { key, to: value.slice(0, 200) }
    const inner = foreignReference(value, hasWords && namesBelow.has(key))
    if (inner) return inner
  }
  return undefined
}

function leadsOut(key: string, value: string): boolean {
  if (references.has(key)) return !value.startsWith('#')
  // The dialect is looked up by its address; an own address only gives the schema a name.
  if (key === '$schema') return !/^https?:\/\/json-schema\.org\//.test(value)
  if (key === '$id') return !/^(?:#|https?:\/\/|urn:)/.test(value)
  return false
}
