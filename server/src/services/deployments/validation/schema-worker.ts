import { parentPort } from 'node:worker_threads'
import { isMultipleOf } from '@quayside/values/schema/multiple-of'
import { placeWords, withNumbers } from '@quayside/values/yaml/place-words'
import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { SchemaAnswer, SchemaFinding, SchemaQuestion } from './schema-check.ts'

// A pattern in a foreign schema can run for ever: here it does so alone, until it is ended.
parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answer(question)))

function answer({ schema, values }: SchemaQuestion): SchemaAnswer {
  try {
    const { $schema: dialect, id: _, ...rest } = schema as AnySchemaObject
    const Chosen = /2020-12/.test(String(dialect)) ? Ajv2020 : /2019-09/.test(String(dialect)) ? Ajv2019 : Ajv
    const ajv = new Chosen({ allErrors: true, strict: false, validateSchema: false, logger: false, code: { regExp } })
    addFormats.default(ajv as Ajv)
    countExactly(ajv as Ajv)
    const check = ajv.compile(withPlainReferences(rest) as AnySchemaObject)
    return check(values)
      ? { findings: [] }
      : { findings: (check.errors ?? []).slice(0, 50).map((error) => toFinding(error, values)) }
  } catch (error) {
    const unusable = error instanceof Error ? error.message.slice(0, 300) : 'unknown reason'
    return { unusable, remedy: 'Use a version of the chart whose values.schema.json is in order.' }
  }
}

/**
 * Reads a pattern as charts write them. Helm takes a pattern that begins with `(?i)`, and one with escapes that the
 * strict reading of JavaScript does not know.
 */
function regExp(pattern: string, flags: string): RegExp {
  const [, inline = '', rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? []
  try {
    return new RegExp(rest, flags + inline)
  } catch {
    return new RegExp(rest, flags.replace('u', '') + inline)
  }
}
regExp.code = 'new RegExp'

/** Helm counts with decimals as they are written; the validator would refuse 0.3 where steps are 0.05. */
function countExactly(ajv: Ajv): void {
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: ({ schema }) => `must be a multiple of ${schema}` },
    validate: (step: number, value: number) => isMultipleOf(value, step),
  })
}

const plainData = new Set(['const', 'enum', 'default', 'examples'])

/**
 * A reference beside `unevaluatedProperties` says what is evaluated, which the validator forgets when a choice of forms
 * stands there too. As a part of `allOf` it means the same and is not forgotten.
 */
function withPlainReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlainReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, plainData.has(key) ? inner : withPlainReferences(inner)]),
  )
  const isForgotten = 'unevaluatedProperties' in copy || 'unevaluatedItems' in copy
  if (typeof copy.$ref !== 'string' || !isForgotten) return copy
  const { $ref, allOf, ...rest } = copy
  return { ...rest, allOf: [{ $ref }, ...(Array.isArray(allOf) ? allOf : [])] }
}

function toFinding(error: ErrorObject, values: unknown): SchemaFinding {
  const above = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const extra = (error.params as { additionalProperty?: unknown }).additionalProperty
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues
  const path = typeof extra === 'string' ? [...above, extra] : above
  return {
    path,
    place: placeWords(withNumbers(path, values)),
    message: typeof extra === 'string' ? 'is not known to this chart' : (error.message ?? 'is not valid'),
    allowed: allowed?.slice(0, 20).map((value) => JSON.stringify(value)) ?? null,
  }
}
