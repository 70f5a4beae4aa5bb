import { secretsInText } from '@quayside/values/secrets/secret-names'
import { secretPathsOf } from '@quayside/values/secrets/secret-paths'
import { secretLeaves } from '@quayside/values/secrets/secret-walk'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { createSecretRedactor, shortest } from './secret-redactor.ts'

/** Where a version's own values, its schema and further texts say that there are secrets. */
export function secretsOf(
  { valuesYaml, valuesSchema }: { valuesYaml: string; valuesSchema: unknown },
  ...texts: readonly string[]
): string[][] {
  return [valuesYaml, ...texts].flatMap((text, index) => {
    try {
      return secretPathsOf(text, index === 0 ? valuesSchema : undefined).map((path) => [...path])
    } catch (error) {
      if (error instanceof YamlRefused) return []
      throw error
    }
  })
}

/** The texts that must never be shown: values at secret paths, under names that tell, and inside of texts. */
export function secretValues(values: unknown, paths: readonly (readonly string[])[]): string[] {
  const found = new Set<string>()
  for (const { value, isInText } of secretLeaves(values, paths)) {
    // Logs say a password without the address it stands in, and in it as it was escaped.
    const inside = typeof value === 'string' ? secretsInText(value) : []
    for (const secret of inside) collectLeaves(unescaped(secret), found)
    for (const secret of isInText ? inside : [value]) collectLeaves(secret, found)
  }
  return [...found].filter((text) => text.length >= shortest).sort((a, b) => b.length - a.length)
}

/** A function that hides the given texts in any line, in every form in which something may say them. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const { learn, hide } = createSecretRedactor()
  learn(secrets)
  return hide
}

function unescaped(secret: string): string {
  try {
    return decodeURIComponent(secret)
  } catch {
    // A percent sign that escapes nothing.
    return secret
  }
}

function collectLeaves(node: unknown, found: Set<string>): void {
  if (typeof node === 'string' || typeof node === 'number') {
    for (const line of String(node).split('\n')) if (line.trim()) found.add(line.trim())
  } else if (isRecord(node) || Array.isArray(node)) for (const child of Object.values(node)) collectLeaves(child, found)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
