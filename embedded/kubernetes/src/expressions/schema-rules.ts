import type { ASTNode } from '@marcbachmann/cel-js'
import { type FieldError, invalidValue } from '../field-error.ts'
import { type Doc, deepEqual, docOf, isDoc, listOf, textOf } from '../store/doc.ts'
import { celValue, compile, isUnknownFunction } from './cel.ts'

const RULES = 'x-kubernetes-validations'

/** The item of the old list that is the same one; lists without keys have no memory. */
function oldItem(schema: Doc, item: unknown, old: unknown): unknown {
  const keys = listOf(schema['x-kubernetes-list-map-keys']).map(textOf)
  if (keys.length === 0) return undefined
  return listOf(old).find((other) => keys.every((key) => deepEqual(docOf(other)[key], docOf(item)[key])))
}

const shownInvalid = (field: string, value: unknown, why: string): FieldError =>
  typeof value === 'object'
    ? { field, reason: 'FieldValueInvalid', message: `Invalid value: ${why}` }
    : invalidValue(field, value, why)

function worded(reason: string, field: string, value: unknown, why: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return { field, reason, message: `Forbidden: ${why}` }
    case 'FieldValueRequired':
      return { field, reason, message: `Required value: ${why}` }
    case 'FieldValueDuplicate':
      return { field, reason, message: `Duplicate value: ${JSON.stringify(value)}` }
    default:
      return shownInvalid(field, value, why)
  }
}

function messageOf({ message, messageExpression, rule }: Doc, variables: Doc): string {
  if (typeof messageExpression === 'string') {
    const made = compile(messageExpression)
    const outcome = 'run' in made ? made.run(variables) : made
    if ('value' in outcome && typeof outcome.value === 'string' && outcome.value !== '') return outcome.value
  }
  return textOf(message).trim() || `failed rule: ${textOf(rule)}`
}

function oneRule(rule: Doc, value: unknown, old: unknown, at: string): FieldError[] {
  const source = textOf(rule.rule)
  const looksBack = /\boldSelf\b/.test(source)
  if (looksBack && old === undefined && rule.optionalOldSelf !== true) return []
  const expression = compile(source)
  if (!('run' in expression)) return []
  const variables: Doc = { self: celValue(value), ...(looksBack ? { oldSelf: celValue(old) } : {}) }
  const outcome = expression.run(variables)
  if ('value' in outcome) {
    if (outcome.value === true) return []
    const field = at + textOf(rule.fieldPath)
    return [worded(textOf(rule.reason), field, value, messageOf(rule, variables))]
  }
  if (isUnknownFunction(outcome.problem)) return []
  const shown = typeof value === 'object' ? 'object' : value
  return [invalidValue(at, shown, `${outcome.problem} evaluating rule: ${textOf(rule.message) || source}`)]
}

/** Violations of the CEL rules in a value's schema; `old` is the former value, for transition rules. */
export function ruleErrors(schema: Doc, value: unknown, old: unknown, at: string): FieldError[] {
  if (value === undefined || value === null) return []
  const errors = listOf(schema[RULES]).flatMap((rule) => oneRule(docOf(rule), value, old, at))
  if (Array.isArray(value)) {
    const item = docOf(schema.items)
    return [
      ...errors,
      ...value.flatMap((part, index) => ruleErrors(item, part, oldItem(schema, part, old), `${at}[${index}]`)),
    ]
  }
  if (!isDoc(value)) return errors
  const properties = docOf(schema.properties)
  const inner = Object.entries(value).flatMap(([key, part]) => {
    const known = properties[key] ?? schema.additionalProperties
    return isDoc(known) ? ruleErrors(known, part, docOf(old)[key], at ? `${at}.${key}` : key) : []
  })
  return [...errors, ...inner]
}

/** Tells whether any part of a schema has expressions: most have none, and need no look at their objects. */
export function hasRules(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasRules)
  if (!isDoc(schema)) return false
  return schema[RULES] !== undefined || Object.values(schema).some(hasRules)
}

/** The schema of what a chain of fields such as `self.a.b` leads to; undefined where nothing is known of it. */
function schemaOf(node: ASTNode, self: Doc, unknown: (field: string) => void): Doc | undefined {
  if (node.op === 'id') return node.args === 'self' || node.args === 'oldSelf' ? self : undefined
  if (node.op !== '.') return undefined
  const [target, field] = node.args
  const inner = schemaOf(target, self, unknown)
  if (!inner || !isDoc(inner.properties) || inner['x-kubernetes-preserve-unknown-fields'] === true) return undefined
  const known = inner.properties[field]
  if (isDoc(known)) return known
  const isMeta = ['apiVersion', 'kind', 'metadata'].includes(field)
  if (!field.includes('__') && !isMeta) unknown(field)
  return undefined
}

const isNode = (value: unknown): value is ASTNode => isDoc(value) && typeof value.op === 'string' && 'args' in value

function unknownFields(node: unknown, self: Doc, found: Set<string>): void {
  if (Array.isArray(node)) for (const part of node) unknownFields(part, self, found)
  if (!isNode(node)) return
  if (node.op === '.') schemaOf(node, self, (field) => found.add(field))
  unknownFields(node.args, self, found)
}

/** Errors in the CEL rules of a schema: rules that do not parse, or that refer to unknown fields. */
export function ruleProblems(schema: Doc, at: string): FieldError[] {
  const own = listOf(schema[RULES]).flatMap((rule, index) => {
    const field = `${at}.${RULES}[${index}].rule`
    const expression = compile(textOf(docOf(rule).rule))
    if (!('run' in expression)) return [invalidValue(field, rule, `compilation failed: ERROR: ${expression.problem}`)]
    const found = new Set<string>()
    unknownFields(expression.ast, schema, found)
    return [...found].map((name) => invalidValue(field, rule, `compilation failed: ERROR: undefined field '${name}'`))
  })
  const parts = Object.entries(docOf(schema.properties)).flatMap(([name, part]) =>
    ruleProblems(docOf(part), `${at}.properties[${name}]`),
  )
  const items = isDoc(schema.items) ? ruleProblems(schema.items, `${at}.items`) : []
  const rest = schema.additionalProperties
  return [...own, ...parts, ...items, ...(isDoc(rest) ? ruleProblems(rest, `${at}.additionalProperties`) : [])]
}
