import { openYaml, YamlRefused } from '@quayside/contract/values/yaml-document'
import { isNode } from 'yaml'
import { isRecord, type Values } from './values.ts'

/** Where in the values something is that Helm says: the first of the values it names, and its line when it is there. */
export function whereOf(message: string, yaml: string, values: Values): { path?: string; line?: number } {
  const named = /(?:\.Values|<\$?\.Values)\.([\w.-]+)/.exec(message)?.[1] ?? mentioned(message, values)
  if (!named) return {}
  const path = named.replace(/\.+$/, '')
  const line = lineOfPath(yaml, path.split('.'))
  return { path, ...(line === undefined ? {} : { line }) }
}

/** A dotted path of these values that the message is about: `Please set certmanager-issuer.email`. */
function mentioned(message: string, values: Values): string | undefined {
  const candidates = message.slice(0, 4000).match(/[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+/g) ?? []
  return candidates.find((name) => {
    const parent = name
      .split('.')
      .slice(0, -1)
      .reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), values)
    return isRecord(parent)
  })
}

/** The line, from 1, where the deepest part of a path that is written down begins. */
export function lineOfPath(yaml: string, path: readonly string[]): number | undefined {
  try {
    const document = openYaml(yaml)
    for (let length = path.length; length > 0; length -= 1) {
      const part = path.slice(0, length).map((one) => (/^\d+$/.test(one) ? Number(one) : one))
      const node = document.getIn(part, true)
      if (isNode(node) && node.range) return yaml.slice(0, node.range[0]).split('\n').length
    }
  } catch (error) {
    if (!(error instanceof YamlRefused)) throw error
  }
  return undefined
}
